import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { Scope } from '../coding-agents/install.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { findProgram } from '../init/find-program.js'
import { findInstalled, type Installed, isHere } from '../init/installed.js'
import { type CodexTrust, codexTrust } from './codex-trust.js'
import { type Probe, probe } from './probe.js'

/** What is known about one agent on this machine. */
export interface Diagnosis {
  agent: CodingAgent
  /** where its program is */
  program: string | undefined
  version: string | undefined
  installed: (Installed & { scope: Scope })[]
  trust: CodexTrust | undefined
  probe: Probe | undefined
  /** what is wrong and what to do, a line each */
  problems: string[]
}

/** Looks at an agent; nothing if it is not on this machine. */
export async function diagnose(host: Host, agent: CodingAgent): Promise<Diagnosis | undefined> {
  const problems: string[] = []
  const installed = (['user', 'project'] as const).flatMap((scope) => {
    try {
      return findInstalled(host, agent, scope).map((each) => ({ ...each, scope }))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      problems.push(`${error.message}. Repair it, then run: unloop init ${agent.name}`)
      return []
    }
  })
  if (!isHere(host, agent) && installed.length === 0) return
  const program = findProgram(host, agent.program)
  const version = program && versionOf(host, program)
  if (program && version === undefined) {
    problems.push(`${program} --version failed. Check that ${agent.title} starts.`)
  }
  const [first] = installed
  if (!first && problems.length === 0) {
    problems.push(`It is not guarded. Run: unloop init ${agent.name}`)
  }
  const trust = await trustOf(host, agent, program, installed)
  if (trust === 'untrusted')
    problems.push(`${agent.title} does not run the hook. ${agent.install.next}`)
  const probed = first && probe(host, agent.name, first.run)
  if (first && probed?.problem) {
    problems.push(`The hook does not work: ${probed.problem}. ${adviceFor(agent, first)}`)
  }
  if (agent.install.isOnce && new Set(installed.map(({ scope }) => scope)).size > 1) {
    problems.push(`It is installed twice. Run: unloop init ${agent.name} --project --remove`)
  }
  return { agent, program, version, installed, trust, probe: probed, problems }
}

const adviceFor = ({ name }: CodingAgent, { scope }: { scope: Scope }) =>
  scope === 'user'
    ? `Run: unloop init ${name}`
    : 'Put unloop on the PATH: npm install --global @unloop/cli'

function versionOf({ env, platform }: Host, program: string): string | undefined {
  const done = spawnSync(program, ['--version'], {
    env,
    encoding: 'utf8',
    shell: platform === 'win32',
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (done.status !== 0) return
  return /\b\d{1,6}\.\d[\w.+-]{0,40}/.exec(done.stdout.slice(0, 1000))?.[0] ?? 'of unknown version'
}

async function trustOf(
  host: Host,
  agent: CodingAgent,
  program: string | undefined,
  installed: readonly Installed[],
): Promise<CodexTrust | undefined> {
  if (agent.name !== 'codex' || installed.length === 0) return
  if (!program) return 'unknown'
  const paths = installed.flatMap(({ path }) => [path, realpathSync(path)])
  return codexTrust(program, host.env, host.cwd(), paths)
}
