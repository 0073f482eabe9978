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

/** Advice is any finding; a stop is one that ends the run or asks the person. */
export type Level = 'advice' | 'stops'

/** What a contender saw of one run, at one level. */
export interface Seen {
  /** in a loop, or close to it */
  found: boolean
  /** first reported long before the loop was evident; neither right nor wrong */
  early: boolean
  /** reported on honest work, or too long before the second repeat of a generated loop began */
  wrong: boolean
  at?: number
  /** events between "evident" and the alarm; negative: before it was evident */
  delay?: number
}

/** One run as one contender saw it. */
export interface Outcome extends Record<Level, Seen> {
  id: string
  kind: string
  family: string
  loop: boolean
  /** the agent speaks before it acts */
  talks: boolean
  detector?: string
  detail?: string
  evidentAt?: number
  /** whether a supervisor would end the run, if the reader said so */
  stopWanted?: boolean
  alarmAt?: number
  /** under how many names the run's loops were reported; one loop should have one */
  identities?: number
}

export interface Summary {
  precision: Rate
  recall: Rate
  /** loops that were only reported long before they were evident */
  early: number
  /** honest runs with any alarm */
  falseAlarms: Rate
  /** loops found at most `onTimeSlack` events after they were evident */
  onTime: Rate
  medianDelay: number
}

/**
 * Advice is wanted in every loop. A stop is wanted unless the reader said that a supervisor would let the run go on:
 * to stop such a loop is neither right nor wrong.
 */
export function summarise(
  outcomes: readonly Outcome[],
  level: Level = 'advice',
  onTimeSlack = 4,
): Summary {
  const loops = outcomes.filter(
    (outcome) => outcome.loop && (level === 'advice' || isStopWanted(outcome)),
  )
  const honest = outcomes.filter(({ loop }) => !loop)
  const found = loops.filter((outcome) => outcome[level].found)
  const wrong = outcomes.filter((outcome) => outcome[level].wrong)
  const delays = found.flatMap(({ [level]: { delay } }) => (delay === undefined ? [] : [delay]))
  return {
    precision: rateOf(found.length, found.length + wrong.length),
    recall: rateOf(found.length, loops.length),
    early: loops.filter(({ [level]: { early, found } }) => early && !found).length,
    falseAlarms: rateOf(honest.filter((outcome) => outcome[level].wrong).length, honest.length),
    onTime: rateOf(
      found.filter(({ [level]: { delay = 0 } }) => delay <= onTimeSlack).length,
      loops.length,
    ),
    medianDelay: medianOf(delays.map((delay) => Math.max(0, delay))),
  }
}

const isStopWanted = ({ stopWanted = true }: Outcome) => stopWanted

/** Loops stopped, by what the reader said a supervisor would do. */
export interface WantedStops {
  /** where a supervisor would end the run, or nobody said */
  wanted: Rate
  /** only where the reader said that a supervisor would end the run */
  asked: Rate
  /** where the reader said that a supervisor would not */
  unwanted: Rate
}

export function wantedStops(outcomes: readonly Outcome[]): WantedStops {
  const stopped = (isCounted: (outcome: Outcome) => boolean) => {
    const loops = outcomes.filter((outcome) => outcome.loop && isCounted(outcome))
    return rateOf(loops.filter(({ stops }) => stops.found).length, loops.length)
  }
  return {
    wanted: stopped(isStopWanted),
    asked: stopped(({ stopWanted }) => stopWanted === true),
    unwanted: stopped(({ stopWanted }) => stopWanted === false),
  }
}

/** Precision and recall as the mean over sources; a source without cases for a rate does not count for it. */
export function meanOverSources(
  outcomes: readonly Outcome[],
  level: Level,
): { precision: number; recall: number } {
  const summaries = [...groupBy(outcomes, ({ family }) => family).values()].map((list) =>
    summarise(list, level),
  )
  const mean = (pick: 'precision' | 'recall') =>
    meanOf(summaries.map(({ [pick]: { rate } }) => rate).filter((rate) => !Number.isNaN(rate)))
  return { precision: mean('precision'), recall: mean('recall') }
}

/** Unlabeled runs, practically all honest, with any finding at a level. */
export const flaggedOf = (outcomes: readonly Outcome[], level: Level): Rate =>
  rateOf(outcomes.filter((outcome) => outcome[level].at !== undefined).length, outcomes.length)

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

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
