import { plural, showCost, showCount, showMs, showTokens } from 'unloop/words'
import type { LoopReport, RunReport, Spent } from './run-report.js'

/** A piece of the answer; `waste` and `total` are the numbers that it is about. */
export interface Phrase {
  text: string
  tone?: 'waste' | 'total'
}

/** What a scan found, in one sentence, and what to know about its numbers. */
export interface Answer {
  phrases: Phrase[]
  notes: string[]
}

/** What the answer is about: a whole report, or the part of it that the filters leave. */
export interface AnswerInput {
  totals: {
    runs: number
    stuck: number
    struggling: number
    loops: number
    /** runs that used tokens, and those of them whose cost is known in full */
    paid: number
    priced: number
    spent: Spent
    wasted: Spent
  }
  /** what the worst loop took */
  worst?: Spent | undefined
  /** such as `in the last 30 days` or `since October 3, 2026` */
  period?: string | undefined
  prices: { date: string; source: string }
}

/** "$41 of the $2,396 spent in the last 30 days went into 6 loops; the worst ran for 3 h." */
export function answerOf({ totals, worst, period, prices }: AnswerInput): Answer {
  return { phrases: phrasesOf(totals, worst, period), notes: notesOf(totals, prices) }
}

/** The answer as plain text. */
export const textOf = ({ phrases }: Pick<Answer, 'phrases'>): string =>
  phrases.map(({ text }) => text).join('')

/** The loop that cost most, of those that are certain. */
export function worstOf(
  runs: readonly RunReport[],
): { run: RunReport; loop: LoopReport } | undefined {
  let worst: { run: RunReport; loop: LoopReport } | undefined
  for (const run of runs) {
    for (const loop of run.loops) {
      if (loop.certainty !== 'certain') continue
      if (!worst || compareSpent(loop.wasted, worst.loop.wasted) < 0) worst = { run, loop }
    }
  }
  return worst
}

/** For sorting: dollars first, then tokens, time and events; the most comes first. */
export const compareSpent = (one: Spent, other: Spent): number =>
  (other.cost ?? 0) - (one.cost ?? 0) ||
  other.tokens - one.tokens ||
  (other.ms ?? 0) - (one.ms ?? 0) ||
  other.events - one.events

/** The time that a report is about, in words; nothing where no moment is known. */
export function periodOf(
  since: number | undefined,
  first: number | undefined,
  now: number,
): string | undefined {
  const from = since ?? first
  if (from === undefined || !(from < now) || Number.isNaN(new Date(from).getTime()))
    return undefined
  const hours = Math.round((now - from) / 3_600_000)
  if (since === undefined || hours > 24 * 366) {
    const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(from)
    return `since ${date}`
  }
  if (hours < 48) return `in the last ${hours <= 1 ? 'hour' : `${hours} hours`}`
  return `in the last ${Math.round(hours / 24)} days`
}

/** `$2,396`, `$0.04`: cents matter only in small sums. */
export const showDollars = (dollars: number): string =>
  dollars < 10 ? showCost(dollars) : `$${showCount(Math.round(dollars))}`

function phrasesOf(
  totals: AnswerInput['totals'],
  worst: Spent | undefined,
  period: string | undefined,
): Phrase[] {
  const { runs, stuck, struggling, loops, spent, wasted } = totals
  const when = period === undefined ? '' : ` ${period}`
  if (runs === 0) return [{ text: `There are no runs${when}.` }]
  const isDollars = spent.cost !== undefined && (loops === 0 || wasted.cost !== undefined)
  const amount = isDollars ? showDollars(spent.cost ?? 0) : showTokens(spent.tokens)
  const all = { text: amount, tone: 'total' } as const
  const used = isDollars ? ` spent${when}` : ` tokens used${when}`
  const isMeasured = isDollars || spent.tokens > 0
  const struggled = struggling === 0 ? '' : `; ${showCount(struggling)} struggled`
  if (loops === 0) {
    const none = `0 of ${plural(runs, 'run')} got stuck${struggled}.`
    if (!isMeasured) return [{ text: `${none.slice(0, -1)}${when}.` }]
    return [{ text: 'None of the ' }, all, { text: `${used} went into loops: ${none}` }]
  }
  const end = worst === undefined ? '.' : worstWords(worst, loops)
  if (!isMeasured) {
    return [
      { text: showCount(stuck), tone: 'waste' },
      { text: ` of ${plural(runs, 'run')}${when} got stuck${end}` },
    ]
  }
  const waste = isDollars ? showDollars(wasted.cost ?? 0) : showTokens(wasted.tokens)
  return [
    { text: waste, tone: 'waste' },
    { text: ' of the ' },
    all,
    { text: `${used} went into ${loops === 1 ? 'one loop' : plural(loops, 'loop')}${end}` },
  ]
}

function worstWords({ ms = 0, tokens, events }: Spent, loops: number): string {
  const took =
    ms >= 1000
      ? `ran for ${showMs(ms)}`
      : `took ${tokens > 0 ? `${showTokens(tokens)} tokens` : plural(events, 'event')}`
  return loops === 1 ? `, which ${took}.` : `; the worst ${took}.`
}

function notesOf(
  { paid, priced, spent }: AnswerInput['totals'],
  { date, source }: AnswerInput['prices'],
): string[] {
  if (paid === 0) return []
  const list = `list prices of ${date} (${source})`
  if (spent.cost === undefined) return [`No dollars: no model of these runs is in the ${list}.`]
  const known = `Dollars are what the agents recorded, or else ${list}.`
  if (priced === paid) return [known]
  return [
    `${showCount(priced)} of ${plural(paid, 'run')} priced: the dollars of the others are missing in part or in full. ${known}`,
  ]
}
