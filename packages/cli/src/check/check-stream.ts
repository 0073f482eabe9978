import {
  type AgentEvent,
  type Certainty,
  createGuard,
  type Explanation,
  type Finding,
  type GuardOptions,
} from 'unloop'
import type { CallFate } from 'unloop/words'
import { readLines } from '../lines.js'
import { type Troubles, troublesOf } from '../troubles.js'
import { readEvent } from './read-event.js'

/** What happens while a stream of event lines is checked. */
export type CheckItem =
  | { type: 'finding'; line: number; finding: Finding; call?: CallFate | undefined }
  | { type: 'bad'; line: number; reason: string }
  /** written by a version whose events we do not know; the last item */
  | { type: 'version'; version: unknown }
  | {
      type: 'end'
      events: number
      bad: number
      /** how many there are of each kind */
      loops: Record<Certainty, number>
      explanation: Explanation[]
      troubles: Troubles
    }

/** Shows every event of a stream to a guard of its own and tells what that finds. */
export async function* checkStream(
  source: AsyncIterable<string | Uint8Array>,
  options: GuardOptions,
): AsyncGenerator<CheckItem, void, undefined> {
  // they are told at the end
  const guard = createGuard({ ...options, onFault() {} })
  const count = { events: 0, bad: 0 }
  const loops = new Map<string, Certainty>()
  const isStuck = () => [...loops.values()].includes('certain')
  // a recorded run continues where a guard would have stopped it; one report of that is enough
  const ended = new Set<string>()
  // what a chat has kept from its reader is not among its lines, but it says what it found there
  let recorded: { line: number; finding: Finding } | undefined
  let agent: string | undefined
  for await (const { number: line, text } of readLines(source)) {
    const read = text === undefined ? TOO_LONG : readEvent(text)
    if (read.type === 'version' && read.version !== 1) return yield read
    if (read.type === 'bad') {
      count.bad++
      yield { type: 'bad', line, reason: read.reason }
    }
    if (read.type === 'recorded' && recorded?.finding.certainty !== 'certain') {
      recorded = { line, finding: read.finding }
    }
    if (read.type !== 'event') continue
    count.events++
    agent = read.event.agent
    if (read.event.type === 'prompt') ended.clear()
    const finding = guard.observe(read.event)
    if (!finding || ended.has(finding.identity)) continue
    if (loops.get(finding.identity) !== 'certain') loops.set(finding.identity, finding.certainty)
    if (finding.action === 'ask' || finding.action === 'stop') ended.add(finding.identity)
    const call = FATES[read.event.type]
    yield { type: 'finding', line, finding, call }
  }
  if (recorded && (loops.size === 0 || (recorded.finding.certainty === 'certain' && !isStuck()))) {
    loops.set(recorded.finding.identity, recorded.finding.certainty)
    yield { type: 'finding', ...recorded }
  }
  const explanation = guard.explain(agent)
  const found = [...loops.values()]
  const counts = {
    certain: found.filter((certainty) => certainty === 'certain').length,
    likely: found.filter((certainty) => certainty === 'likely').length,
  }
  yield { type: 'end', ...count, loops: counts, explanation, troubles: troublesOf(guard) }
}

const TOO_LONG = { type: 'bad', reason: 'longer than 16 million characters' } as const

/** What became of the call when a finding was made. */
const FATES: Partial<Record<AgentEvent['type'], CallFate>> = {
  'tool-call': 'refused',
  'tool-result': 'ran',
}
