import { codingAgents } from '../coding-agents/index.js'
import type { CliCommand } from '../commands.js'
import { findConfig } from '../config/find.js'
import { type Diagnosis, diagnose } from '../doctor/doctor.js'
import { EXIT } from '../exit-code.js'
import { readSettings } from '../hook/options.js'
import { type Host, type Output, toOutput } from '../host.js'
import { createPaint } from '../paint.js'

/** `unloop doctor`: checks that the agents on this machine are guarded. */
export const doctor: CliCommand = {
  configure: (command) => command.option('--json', 'print JSON').addHelpText('after', HELP),

  async run(host, _, { json }: { json?: boolean }) {
    const out = toOutput(host.stdout, host.env)
    const found: Diagnosis[] = []
    for (const agent of codingAgents) {
      const diagnosis = await diagnose(host, agent)
      if (!diagnosis) continue
      found.push(diagnosis)
      if (!json) show(out, diagnosis)
    }
    const note = noteOn(host)
    if (json) out.json({ note, agents: found.map(toRecord) })
    else if (found.length === 0) out.line('No coding agent found on this machine.')
    if (!json && note !== undefined) out.line(`Note: ${note}`)
    const hasProblem = found.some(({ problems }) => problems.length > 0)
    return hasProblem || found.length === 0 ? EXIT.found : EXIT.quiet
  },
}

const HELP = `
For each coding agent on this machine: its version, where the hook is installed, whether the agent
trusts it, and whether it works. To find out, a loop is played to the installed command: the same
failing call until it is refused. Your sessions are not touched.

  unloop doctor           check all agents
  unloop doctor --json    the same for scripts

Exit codes: 0 all agents are guarded; 1 there is a problem, or no agent; 2 misuse.`

/** What the configuration of this folder changes, which is not a problem if it is meant. */
function noteOn(host: Host): string | undefined {
  const { config, ignored } = readSettings(host, host.cwd(), () => {})
  if (ignored !== undefined) return ignored
  const { mode = 'enforce' } = config
  if (mode === 'enforce') return
  const path = findConfig(host)?.path
  return mode === 'off'
    ? `${path} has "mode": "off", so nothing is guarded in this folder.`
    : `${path} has "mode": "observe", so loops are recorded in this folder, and nothing is refused or stopped.`
}

function show(out: Output, diagnosis: Diagnosis) {
  const { agent, program, version, installed, trust, probe, problems } = diagnosis
  const paint = createPaint(out.isColoured)
  const mark = problems.length === 0 ? paint('green', 'ok') : paint('red', 'problem')
  const what = version ?? (program ? '(version unknown)' : '(program not on the PATH)')
  out.write(`${paint('bold', agent.title)} ${what}: ${mark}\n`)
  for (const { path, scope } of installed) out.line(`  installed (${scope}): ${path}`)
  if (trust === 'trusted') out.line('  trusted')
  if (trust === 'unknown') out.line('  trust: unknown; see /hooks in Codex')
  if (probe?.refusedAt !== undefined) {
    const { refusedAt, milliseconds } = probe
    out.line(
      `  works: identical failing call ${refusedAt} was refused; ${milliseconds} ms per event`,
    )
  }
  for (const problem of problems) out.line(`  ${problem}`)
}

const toRecord = ({ agent, program, version, installed, trust, probe, problems }: Diagnosis) => ({
  agent: agent.name,
  program,
  version,
  installed: installed.map(({ path, scope, command }) => ({ path, scope, command })),
  trust,
  refusedAt: probe?.refusedAt,
  milliseconds: probe?.milliseconds,
  problems,
})
