import { plural, showCost, showMs, showTokens } from 'unloop/words'
import { UsageError } from '../exit-code.js'
import type { Spent } from './run-report.js'

const MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** Milliseconds of `90s`, `15m`, `6h`, `30d`, `2w`. */
export function toMs(text: string): number | undefined {
  const [, count, unit] = text.match(/^(\d+(?:\.\d+)?)([smhdw])$/) ?? []
  return count === undefined ? undefined : Number(count) * MS[unit as keyof typeof MS]
}

/** The moment of `--since`: so long ago, or a date. */
export function toSince(text: string, now: number): number {
  const ago = toMs(text)
  // Date.parse takes a 7 for July 2001
  const isDate = /^\d{4}-\d\d/.test(text)
  const moment = ago !== undefined ? now - ago : isDate ? Date.parse(text) : Number.NaN
  if (Number.isFinite(moment)) return moment
  throw new UsageError(`--since takes 12h, 30d, 2w or a date such as 2026-11-01, got ${text}`)
}

/** Whether something took at least so much: tokens, a time such as `5m`, or dollars such as `$0.50`. */
export function toLeast(text: string): (spent: Spent) => boolean {
  const ms = toMs(text)
  if (ms !== undefined) return (spent) => (spent.ms ?? 0) >= ms
  const isDollars = text.startsWith('$')
  const digits = isDollars ? text.slice(1) : text.replaceAll('_', '')
  const amount = Number(digits)
  if (digits.trim() === '' || !(amount >= 0)) {
    throw new UsageError(
      `--min-wasted takes tokens, a time such as 5m or dollars such as $0.50, got ${text}`,
    )
  }
  // what has no price may have cost any amount
  return isDollars ? ({ cost = Infinity }) => cost >= amount : (spent) => spent.tokens >= amount
}

/** Whether a calendar has this moment: transcripts may say anything. */
export const isMoment = (at: number | undefined): at is number =>
  at !== undefined && !Number.isNaN(new Date(at).getTime())

/** What something took, in words: only what is known. */
export function showSpent({ events, ms, tokens, cost }: Spent): string {
  return (
    [
      ms !== undefined && ms > 0 && showMs(ms),
      tokens > 0 && `${showTokens(tokens)} tokens`,
      cost !== undefined && cost > 0 && showCost(cost),
    ]
      .filter(Boolean)
      .join(', ') || plural(events, 'event')
  )
}

/** The sum of what several took. */
export function total(all: readonly Spent[]): Spent {
  const sum = (pick: (spent: Spent) => number | undefined) =>
    all.reduce((total, spent) => total + (pick(spent) ?? 0), 0)
  return {
    events: sum(({ events }) => events),
    tokens: sum(({ tokens }) => tokens),
    ...(all.some(({ ms }) => ms !== undefined) && { ms: sum(({ ms }) => ms) }),
    ...(all.some(({ cost }) => cost !== undefined) && { cost: sum(({ cost }) => cost) }),
  }
}
