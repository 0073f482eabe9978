import { basename } from 'node:path'
import { describeCost, STATES } from 'unloop/words'
import { oneLine } from '../words.js'
import type { LoopReport } from './report.js'

/** How each agent is asked for lines that can be read, by the names under which people start it. */
const AGENTS: readonly { names: RegExp; flags: string }[] = [
  { names: /^claude(?:-code)?\b/, flags: 'claude -p PROMPT --output-format stream-json --verbose' },
  { names: /^codex\b/, flags: 'codex exec --json PROMPT' },
  { names: /^gemini(?:-cli)?\b/, flags: 'gemini -p PROMPT --output-format stream-json' },
  { names: /^qwen(?:-code)?\b/, flags: 'qwen -p PROMPT --output-format stream-json' },
  { names: /^opencode(?:-ai)?\b/, flags: 'opencode run --format json PROMPT' },
]

/** Why a run was not watched, and how it would be. */
export function unknownLines(command: readonly string[]): string[] {
  // the agent may be started by another program: npx, timeout, sh
  const agent = AGENTS.find(({ names }) => command.some((word) => names.test(basename(word))))
  const known = agent ? [agent] : AGENTS
  return [
    'not watched: this output is not a stream that unloop knows. Loops will not be noticed.',
    `Run the agent with JSON lines:${agent ? ` ${agent.flags}` : ''}`,
    ...(agent ? [] : known.map(({ flags }) => `  ${flags}`)),
  ]
}

/** `struggling: repeated-call: …` */
export const loopLine = ({ certainty, detector, detail }: LoopReport): string =>
  `${STATES[certainty]}: ${detector}: ${detail}`

/** What ended a run, why, and what can be done, a line each. */
export function stopLines(stop: LoopReport, report: string | undefined): string[] {
  const { sample, wasted, evidence } = stop
  return [
    ...(sample === '' ? [] : [`  repeated  ${oneLine(sample, LENGTH)}`]),
    `  cost      ${describeCost(wasted)}`,
    ...evidence.map(({ line, text }) => `  line ${String(line).padEnd(5)}${oneLine(text, LENGTH)}`),
    `  next      ${nextStep(stop)}`,
    ...(report === undefined ? [] : [`  report    ${report}`]),
  ]
}

// a line of a terminal or two
const LENGTH = 160

/** What a person can do about it. */
export function nextStep({ detector, tool }: LoopReport): string {
  if (detector === 'budget')
    return 'raise "budget" in unloop.config.json, or give the agent less to do'
  const allow =
    tool === undefined
      ? ''
      : `; if it is meant to repeat, set "tools": { "${tool}": { "allow": 50 } } in unloop.config.json`
  return `tell the agent what it lacks, or what to do instead, and run it again${allow}`
}
