import type { Bar } from './selection.js'

/** A stretch of days; the first and the last of it. */
export interface Stretch {
  from: string
  to: string
}

/** What such a stretch took. */
export type Column = Omit<Bar, 'name' | 'last'> & Stretch

// columns must stay wide enough to be hit, on a phone too
const DAYS = 62
const DAY = 86_400_000

/** Every day from the first to the last, or every 7 or 30 of them; days are counted as if there were no time zones. */
export function toStretches(days: ReadonlyMap<string, Bar>): Column[] {
  const known = [...days.values()].filter(
    ({ name }) => /^\d{4}-\d\d-\d\d$/.test(name) && !Number.isNaN(Date.parse(name)),
  )
  const times = known.map(({ name }) => Date.parse(name))
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (known.length === 0) return []
  const count = Math.round((last - first) / DAY) + 1
  const step = count <= DAYS ? 1 : count <= DAYS * 7 ? 7 : Math.max(30, Math.ceil(count / DAYS))
  const columns = Array.from({ length: Math.ceil(count / step) }, (_, index): Column => {
    const from = toDay(first + index * step * DAY)
    const to = toDay(Math.min(last, first + (index * step + step - 1) * DAY))
    return { from, to, runs: 0, tokens: 0, wastedTokens: 0, cost: 0, wastedCost: 0, unpriced: 0 }
  })
  for (const [index, bar] of known.entries()) {
    const column = columns[Math.floor(Math.round(((times[index] ?? 0) - first) / DAY) / step)]
    if (!column) continue
    column.runs += bar.runs
    column.tokens += bar.tokens
    column.wastedTokens += bar.wastedTokens
    column.cost += bar.cost
    column.wastedCost += bar.wastedCost
    column.unpriced += bar.unpriced
  }
  return columns
}

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)
