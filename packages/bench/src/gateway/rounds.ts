import { medianOf } from '../accuracy/metrics.js'

/** Measured values of each candidate, by its name, a list for each round. */
export type Rounds = Map<string, number[][]>

/** A percentile of each round, as the median over the rounds: one bad minute of the machine is one round. */
export function percentileOf(rounds: Rounds, name: string, percent: number): number {
  const lists = rounds.get(name) ?? []
  return lists.length === 0 ? Number.NaN : medianOf(lists.map((list) => rankOf(list, percent)))
}

/** How much more one candidate takes than another, compared in each round; the median over the rounds. */
export function addedTo(rounds: Rounds, base: string, name: string, percent: number): number {
  const [before = [], after = []] = [rounds.get(base), rounds.get(name)]
  const differences = after.map(
    (list, round) => rankOf(list, percent) - rankOf(before[round] ?? [], percent),
  )
  return differences.length === 0 ? Number.NaN : medianOf(differences)
}

export function addTo(rounds: Rounds, name: string, round: number, value: number): void {
  const lists = rounds.get(name) ?? []
  rounds.set(name, lists)
  while (lists.length <= round) lists.push([])
  lists[round]?.push(value)
}

/** The smallest value that at least so many percent do not exceed. */
export function rankOf(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

/** How many times as much one candidate has as another, compared in each round; the median over the rounds. */
export function ratioOf(rounds: Rounds, name: string, base: string): number {
  const [above = [], below = []] = [rounds.get(name), rounds.get(base)]
  if (below.length === 0) return Number.NaN
  return medianOf(above.map((list, round) => rankOf(list, 50) / rankOf(below[round] ?? [], 50)))
}
