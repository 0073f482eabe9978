import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { Scope } from '../coding-agents/install.js'
import { UsageError } from '../exit-code.js'
import { sessionsFolder } from '../hook/folders.js'
import type { Host } from '../host.js'
import { findProgram } from '../init/find-program.js'
import { findInstalled, type Installed, isHere, wantedEvents } from '../init/installed.js'
import { programFor } from '../init/launcher.js'
import { type CodexTrust, codexTrust } from './codex-trust.js'
import { type Probe, probe } from './probe.js'
import { switchedOff } from './switched-off.js'
import { unwritable } from './unwritable.js'

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
  const init = `${programFor(host)} init ${agent.name}`
  const installed = (['user', 'project'] as const).flatMap((scope) => {
    try {
      return findInstalled(host, agent, scope).map((each) => ({ ...each, scope }))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      problems.push(`${error.message}. Repair it, then run: ${init}`)
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
    problems.push(`It is not guarded. Run: ${init}`)
  }
  if (first) problems.push(...gaps(host, agent, installed, init))
  const trust = await trustOf(host, agent, program, installed)
  if (trust === 'untrusted')
    problems.push(`${agent.title} does not run the hook. ${agent.install.next}`)
  const probed = first && probe(host, agent.name, first.run)
  if (first && probed?.problem) {
    problems.push(`The hook does not work: ${probed.problem}. ${adviceFor(first, init)}`)
  }
  if (agent.install.isOnce && new Set(installed.map(({ scope }) => scope)).size > 1) {
    problems.push(`It is installed twice. Run: ${init} --project --remove`)
  }
  return { agent, program, version, installed, trust, probe: probed, problems }
}

/** Why an installed hook is not told of everything, or cannot remember it. */
function gaps(host: Host, agent: CodingAgent, installed: Diagnosis['installed'], init: string) {
  const problems: string[] = []
  const off = switchedOff(host, agent)
  if (off) {
    problems.push(
      `${agent.title} runs no hooks: ${off.path} says ${off.words}. Remove that setting.`,
    )
  }
  const missing = wantedEvents(host, agent).filter(
    (event) => !installed.some(({ events }) => events.includes(event)),
  )
  if (missing.length > 0) {
    const isForUser = installed.some(({ scope }) => scope === 'user')
    problems.push(
      `The hook does not see every ${missing.join(', ')}. Run: ${init}${isForUser ? '' : ' --project'}`,
    )
  }
  const reason = unwritable(sessionsFolder(host))
  if (reason !== undefined) {
    problems.push(
      `The hook cannot remember anything: ${reason}. Make it writable, or set UNLOOP_HOME to another folder.`,
    )
  }
  return problems
}

const adviceFor = ({ scope }: { scope: Scope }, init: string) =>
  scope === 'user' ? `Run: ${init}` : 'Put unloop on the PATH: npm install --global @unloop/cli'

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
