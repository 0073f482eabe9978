import { type Entry, share, tokensOf } from './entry.js'

/** A cost that a program recorded for everything up to an event. */
export interface Settlement {
  /** the place of it, with nothing in it */
  at: Entry
  cost: number
}

/** Shares a recorded cost among the entries that have none of their own: by their list prices, else by their tokens, else evenly; where there are none, it stands alone. */
export function settle(entries: Entry[], { at, cost }: Settlement): void {
  const open = entries.filter((entry) => entry.event <= at.event && !entry.isRecorded)
  const listed = open.every((entry) => entry.cost !== undefined || tokensOf(entry) === 0)
  const weigh = [listed ? ({ cost = 0 }: Entry) => cost : tokensOf, tokensOf, () => 1].find(
    (weight) => open.some((entry) => weight(entry) > 0),
  )
  if (!weigh) return void entries.push({ ...at, cost, isRecorded: true })
  const sum = open.reduce((total, entry) => total + weigh(entry), 0)
  for (const entry of open) {
    entry.cost = (cost * weigh(entry)) / sum
    entry.isRecorded = true
  }
}

/** Shares what was told only once, for the whole run, evenly among its calls. */
export function shareTotal(entries: readonly Entry[]): void {
  const paid = entries.filter((entry) => tokensOf(entry) > 0)
  const [total] = paid
  const calls = entries.filter(({ calls }) => calls > 0)
  if (!total || paid.length > 1 || total.calls > 0 || calls.length < FEW) return
  share(total, calls)
  Object.assign(total, { input: 0, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0 })
  delete total.cost
}

// a short run may have paid for one answer
const FEW = 4
