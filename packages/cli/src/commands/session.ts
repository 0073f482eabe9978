import type { Command } from 'commander'
import type { Finding } from 'unloop'
import { type ChoiceName, describeChoice, describeOutcome, wordsOf } from 'unloop/words'
import { codingAgentNamed } from '../coding-agents/index.js'
import type { CliCommand } from '../commands.js'
import { EXIT, type ExitCode, UsageError } from '../exit-code.js'
import { add, createNonce } from '../hook/journal.js'
import type { Choice, SessionLine } from '../hook/session.js'
import { type Host, toOutput } from '../host.js'
import { suggestion } from '../nearest.js'
import { never } from '../never.js'
import { inOneLine, printable } from '../printable.js'
import { type GuardedSession, guardedSession } from '../sessions/guarded-sessions.js'
import { toSessionJson } from '../sessions/session-json.js'
import { ago } from '../sessions/words.js'
import { surroundingAgent } from '../surrounding-agent.js'
import { explanationLines } from '../words.js'

interface Options {
  continue?: boolean
  allow?: string
  hint?: string
  off?: boolean
  on?: boolean
  json?: boolean
}

/** `unloop session ID`: one session of an agent that hooks guard, and the person's choices about it. */
export const session: CliCommand = {
  configure: (command: Command) =>
    command
      .argument('<id>', 'id of the session, or its beginning; see unloop sessions')
      .option('--continue', optionWords('continue-once'))
      .option('--allow <tool>', optionWords('allow'))
      .option('--hint <text>', optionWords('hint'))
      .option('--off', optionWords('disable'))
      .option('--on', 'guard it again')
      .option('--json', 'print JSON')
      .addHelpText('after', HELP),

  async run(host, [id = ''], options: Options) {
    const chosen = choicesIn(options)
    if (chosen.length > 1)
      throw new UsageError('choose one: --continue, --allow, --hint, --off, --on')
    const [choice] = chosen
    if (choice) checkPerson(host, id)
    const found = guardedSession(host, id)
    if (choice) checkChoice(choice, found)
    if (choice) {
      const line: SessionLine = { nonce: createNonce(), at: Date.now(), source: 'person', choice }
      add(found.place, line)
    }
    return choice ? tell(host, found, choice, options) : show(host, found, options)
  },
}

/** An agent must not decide about its own guard. */
function checkPerson(host: Host, id: string): void {
  const agent = surroundingAgent(host)
  const what = 'unloop session lets only a person change a session'
  const next = `Open a terminal of your own and run it there; unloop session ${id} shows the session anywhere`
  if (agent !== undefined) throw new UsageError(`${what}, and this runs inside ${agent}. ${next}`)
  if (!host.stdin.isTTY) throw new UsageError(`${what}, and here is no terminal. ${next}`)
}

/** `continue once: the agent continues. …` */
function optionWords(name: ChoiceName): string {
  const { label, effect } = wordsOf(name)
  return `${label.replace('…', '')}: ${effect}`
}

const HELP = `
The agent must be running, or be continued with a new message, for a choice to matter. A new prompt
starts over by itself. The hint reaches the model with the answer of its next tool.
A choice needs a terminal that is not inside an agent: an agent must not change its own guard.`

function choicesIn(options: Options): Choice[] {
  const { allow: tool, hint: text } = options
  return [
    ...(options.continue ? [{ type: 'continue' as const }] : []),
    ...(tool === undefined ? [] : [{ type: 'allow' as const, tool }]),
    ...(text === undefined ? [] : [{ type: 'hint' as const, text }]),
    ...(options.off ? [{ type: 'off' as const }] : []),
    ...(options.on ? [{ type: 'on' as const }] : []),
  ]
}

/** Refuses a choice that would change nothing. */
function checkChoice(choice: Choice, { tools, id }: GuardedSession): void {
  if (choice.type === 'hint' && choice.text.trim() === '') {
    throw new UsageError('--hint takes words for the model')
  }
  if (choice.type === 'allow' && !tools.includes(choice.tool)) {
    const known = tools.length > 0 ? ` (it called ${tools.join(', ')})` : ''
    const meant = suggestion(choice.tool, tools)
    throw new UsageError(`the session ${id} has not called ${choice.tool}${known}${meant}`)
  }
}

function tell(
  host: Host,
  { id, agent }: GuardedSession,
  choice: Choice,
  { json }: Options,
): ExitCode {
  const out = toOutput(host.stdout, host.env)
  if (json) out.json({ id, choice })
  else out.line(`${doneWords(choice)} (${agent}, ${id})`)
  return EXIT.quiet
}

function doneWords(choice: Choice): string {
  switch (choice.type) {
    case 'continue':
      return describeChoice({ type: 'continue-once' })
    case 'allow':
    case 'hint':
      return describeChoice(choice)
    case 'off':
      return describeChoice({ type: 'disable' })
    case 'on':
      return 'Enabled: the session is guarded again.'
    default:
      return never(choice)
  }
}

/** What came of a finding; hooks refuse the next call if an answer proved the loop. */
function outcomeOf(finding: Finding, { agent, state }: GuardedSession): string {
  const { action } = finding
  if (action === 'ask' && state !== 'stopped') return 'you were asked, and it continued'
  const isStop = action === 'ask' || action === 'stop'
  if (isStop && codingAgentNamed(agent)?.cannotStop) return 'all further calls were refused'
  return describeOutcome(finding, { call: 'refused' })
}

function show(host: Host, found: GuardedSession, { json }: Options): ExitCode {
  const out = toOutput(host.stdout, host.env)
  if (json) {
    out.json(toSessionJson(found))
    return EXIT.quiet
  }
  const { id, agent, folder, state, lastAt, findings, explanation } = found
  // a name may have a line break in it
  const line = (text: string) => out.line(inOneLine(printable(text)))
  line(`${id}  ${agent}  ${folder ?? 'unknown folder'}  ${state}  ${ago(lastAt)}`)
  for (const finding of findings) line(`  ${finding.detail}: ${outcomeOf(finding, found)}`)
  for (const text of explanationLines(explanation)) line(`  ${text}`)
  return EXIT.quiet
}
