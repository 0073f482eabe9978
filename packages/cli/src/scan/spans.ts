import type { Entry } from './entry.js'
import type { Spent } from './run-report.js'

/** A stretch of events: from the event after `after` up to `to`, and when that was. */
export interface Span {
  after: number
  to: number
  startedAt?: number
  endedAt?: number
}

/** Adds a stretch to others; one that goes on where the last ended makes it longer. */
export function addSpan(spans: Span[], span: Span): void {
  const last = spans.at(-1)
  if (!last || span.after > last.to || span.after < last.after) return void spans.push(span)
  last.to = Math.max(last.to, span.to)
  if (span.endedAt !== undefined) last.endedAt = span.endedAt
}

/** What stretches cover together, in order and without overlap. */
export function unionOf(all: readonly Span[]): Span[] {
  const union: Span[] = []
  for (const span of [...all].sort((a, b) => a.after - b.after)) addSpan(union, { ...span })
  return union
}

/** The parts of stretches that come after an event. */
export const spansAfter = (spans: readonly Span[], event: number, at?: number): Span[] =>
  spans
    .filter(({ to }) => to > event)
    .map((span) =>
      span.after >= event
        ? span
        : { ...span, after: event, ...(at !== undefined && { startedAt: at }) },
    )

/** Whether an event lies in one of these stretches. */
export const isWithin = (spans: readonly Span[], event: number): boolean =>
  spans.some(({ after, to }) => event > after && event <= to)

/** What was spent in stretches that do not overlap. */
export function spentIn(spans: readonly Span[], entries: readonly Entry[]): Spent {
  const inside = spans.length === 0 ? [] : entries.filter(({ event }) => isWithin(spans, event))
  const times = spans.flatMap(({ startedAt, endedAt }) =>
    startedAt === undefined || endedAt === undefined ? [] : [Math.max(0, endedAt - startedAt)],
  )
  return {
    events: spans.reduce((sum, { after, to }) => sum + to - after, 0),
    ...amountOf(inside),
    ...(times.length > 0 && { ms: times.reduce((a, b) => a + b) }),
  }
}

/** Tokens and dollars of entries; no dollars if none of them has a price. */
export function amountOf(entries: readonly Entry[]): Pick<Spent, 'tokens' | 'cost'> {
  let tokens = 0
  let cost: number | undefined
  for (const entry of entries) {
    tokens += entry.input + entry.output
    if (entry.cost !== undefined) cost = (cost ?? 0) + entry.cost
  }
  return { tokens, ...(cost !== undefined && { cost }) }
}
