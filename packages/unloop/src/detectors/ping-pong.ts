import { type DetectorReport, defineDetector } from '../detector.js'
import { shorten } from '../reading/sample.js'
import { type Errand, sameErrands } from '../rounds/errands.js'
import { isProgress, toPressure } from '../rounds/rounds.js'
import { likeness, type Sketch, sketchOf } from '../speech/sketch.js'

interface Handoff {
  number: number
  from: string
  to: string
  sketch: Sketch
  words: number
  /** its numbers */
  amounts: string
}

interface State {
  handoffs: Handoff[]
  delegated: number
}

/** Advice comes two handoffs sooner. */
const likelyLimit = (limit: number) => limit - 2

const REMEMBERED = 16
// of the wording of a task that is handed back
const LIKENESS = 0.5
// how many more handoffs it takes if they have no words
const WORDLESS = 2
// of the numbers in it
const MAX_AMOUNTS = 120

export const pingPong = defineDetector({
  name: 'ping-pong',
  finds:
    'agents that hand the same task back and forth, or repeat the same errand one after another',
  advice:
    'This task keeps being handed back and forth, and nobody works on it. Do your part now, or say what is missing.',
  stage: 'stable',
  plane: 'calls',
  on: ['handoff', 'tool-result'],

  options: { limit: 6 },

  start: (): State => ({ handoffs: [], delegated: 0 }),

  observe(state, event, { log, options, number }) {
    if (event.type === 'tool-result') {
      if (log.completed && isProgress(log.completed)) state.handoffs = []
      // reported by the agent that ran the last one
      if (!log.completed || !event.agent) return
      return errandReport(sameErrands(log.errands), options)
    }
    if (event.type !== 'handoff') return
    if (state.delegated !== log.delegated) {
      state.delegated = log.delegated
      state.handoffs = []
    }
    const text = (event.text ?? '').slice(0, 1200)
    const { sketch, words } = sketchOf(text)
    const amounts = text.replace(/[^\d.,]+/g, ' ').slice(0, MAX_AMOUNTS)
    state.handoffs.push({ number, from: event.agent ?? '', to: event.to, sketch, words, amounts })
    if (state.handoffs.length > REMEMBERED) state.handoffs.shift()
    const row = toAndFro(state.handoffs, LIKENESS)
    // where nothing is said, only the way of the task is known
    const more = row.some(({ words }) => words > 1) ? 0 : WORDLESS
    if (row.length < likelyLimit(options.limit) + more) return
    const agents = [...new Set(row.map(({ to }) => to))]
    return {
      kind: 'ping-pong',
      certainty: row.length < options.limit + more ? 'likely' : 'certain',
      detail: `${agents.join(' and ')} handed the same task to each other ${row.length} times`,
      identity: agents.sort().join(),
      count: row.length,
      period: agents.length,
      firstEvent: row[0]?.number ?? 0,
      sample: shorten(event.text ?? event.to),
    }
  },

  pressure({ handoffs }, { options }) {
    return toPressure(toAndFro(handoffs, LIKENESS).length, likelyLimit(options.limit))
  },
})

/** The same errand, run by one agent after another. A single call needs more: it may be how every agent starts. */
function errandReport(
  row: readonly Errand[],
  { limit }: { limit: number },
): DetectorReport | undefined {
  const last = row.at(-1)
  if (!last) return
  const factor = last.rounds === 1 ? 2 : 1
  if (row.length < factor * likelyLimit(limit)) return
  return {
    kind: 'same-errand',
    certainty: row.length < factor * limit ? 'likely' : 'certain',
    detail: `${row.length} agents in a row made the same calls and got the same answers; the last was ${last.agent}`,
    identity: 'same-errand',
    count: row.length,
    period: last.rounds,
    firstEvent: row[0]?.since ?? 0,
    sample: last.agent,
    isEverybody: true,
    advice: ERRAND_ADVICE,
  }
}

const ERRAND_ADVICE =
  'Another helper with the same task will find the same thing. Use what the helpers reported, change the task, or do it yourself.'

/** The last handoffs that went around between the same two to four agents with the same words, oldest first. */
function toAndFro(handoffs: readonly Handoff[], least: number): Handoff[] {
  let best: Handoff[] = []
  for (let period = 2; period <= 4; period++) {
    let same = 0
    for (let i = handoffs.length - 1; i >= period; i--) {
      const one = handoffs[i] as Handoff
      const other = handoffs[i - period] as Handoff
      // numbers that move are news, as in a price that two agents agree on
      if (one.to !== other.to || one.amounts !== other.amounts) break
      if (!isSameTask(one, other, least)) break
      same++
    }
    if (same > 0 && same + period > best.length) best = handoffs.slice(-(same + period))
  }
  return best
}

const isSameTask = (one: Handoff, other: Handoff, least: number) =>
  (one.words < 2 && other.words < 2) || likeness(one.sketch, other.sketch) >= least
