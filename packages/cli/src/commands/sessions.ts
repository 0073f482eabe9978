import type { Command } from 'commander'
import { showPercent } from 'unloop/words'
import type { CliCommand } from '../commands.js'
import { EXIT } from '../exit-code.js'
import { homeOf } from '../home-of.js'
import { type Host, toOutput } from '../host.js'
import { inOneLine, printable } from '../printable.js'
import { type GuardedSession, guardedSessions } from '../sessions/guarded-sessions.js'
import { toSessionJson } from '../sessions/session-json.js'
import { ago } from '../sessions/words.js'
import { oneLine } from '../words.js'

/** `unloop sessions`: the sessions of agents that hooks guard. */
export const sessions: CliCommand = {
  configure: (command: Command) =>
    command.option('--json', 'print JSON').addHelpText('after', HELP),

  async run(host, _, { json }: { json?: boolean }) {
    const out = toOutput(host.stdout, host.env)
    const all = guardedSessions(host)
    if (json) {
      out.json({ sessions: all.map(toSessionJson) })
      return EXIT.quiet
    }
    if (all.length === 0) {
      out.line('No guarded sessions in the last three days. To guard an agent, run: unloop init')
      return EXIT.quiet
    }
    for (const session of all) for (const line of linesOf(host, session)) out.line(line)
    return EXIT.quiet
  },
}

const HELP = `
Sessions are kept for three days after their last event, in a folder that only you can read.
unloop session ID shows one, and lets it continue.`

function linesOf(
  host: Host,
  { id, agent, folder, state, pressure, lastAt, findings }: GuardedSession,
) {
  const where = folder?.replace(homeOf(host), '~') ?? 'unknown folder'
  const near = state === 'working' ? ` ${showPercent(pressure)}` : ''
  return [
    `${oneLine(id, MAX_ID)}  ${agent}  ${oneLine(where, MAX_ID)}  ${state}${near}  ${ago(lastAt)}`,
    ...findings.slice(-1).map(({ detail }) => `  ${inOneLine(printable(detail))}`),
  ]
}

// of an id or a path, on one line
const MAX_ID = 100
