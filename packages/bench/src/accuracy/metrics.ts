/** How often, of how many, with the interval in which the true rate lies (Wilson, 95 %). */
export interface Rate {
  hits: number
  of: number
  rate: number
  low: number
  high: number
}

export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, rate: Number.NaN, low: 0, high: 1 }
  // 95 % of a normal distribution lies within 1.96 standard deviations
  const z = 1.959964
  const share = hits / of
  const base = 1 + (z * z) / of
  const middle = (share + (z * z) / (2 * of)) / base
  const half = (z / base) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return {
    hits,
    of,
    rate: share,
    low: Math.max(0, middle - half),
    high: Math.min(1, middle + half),
  }
}

/** One run as one contender saw it. */
export interface Outcome {
  id: string
  kind: string
  family: string
  loop: boolean
  /** the first alarm that counts: for a loop, one not before its second repeat */
  found: boolean
  /** an alarm on honest work, or before the second repeat of a loop began */
  falseAlarm: boolean
  /** events between "evident" and the alarm; negative: before it was evident */
  delay?: number
  detector?: string
  detail?: string
  evidentAt?: number
  alarmAt?: number
  /** under how many names the run's loops were reported; one loop should have one */
  identities?: number
}

export interface Summary {
  precision: Rate
  recall: Rate
  /** honest runs with any alarm */
  falseAlarms: Rate
  /** loops found not later than `onTimeSlack` events after they were evident */
  onTime: Rate
  medianDelay: number
}

export function summarise(outcomes: readonly Outcome[], onTimeSlack = 4): Summary {
  const loops = outcomes.filter(({ loop }) => loop)
  const honest = outcomes.filter(({ loop }) => !loop)
  const found = loops.filter((outcome) => outcome.found)
  const wrong = outcomes.filter(({ falseAlarm }) => falseAlarm)
  const delays = found.flatMap(({ delay }) => (delay === undefined ? [] : [Math.max(0, delay)]))
  return {
    precision: rateOf(found.length, found.length + wrong.length),
    recall: rateOf(found.length, loops.length),
    falseAlarms: rateOf(honest.filter(({ falseAlarm }) => falseAlarm).length, honest.length),
    onTime: rateOf(found.filter(({ delay = 0 }) => delay <= onTimeSlack).length, loops.length),
    medianDelay: medianOf(delays),
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  if (sorted.length % 2 === 1) return sorted[middle] as number
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Groups in the order in which they first appear. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}
