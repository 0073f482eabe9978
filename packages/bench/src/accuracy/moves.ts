import { createGuard, defaultDetectors, detectors, type GuardOptions } from 'unloop'

/** One option of one detector set to another value than its default. */
export interface Move {
  detector: string
  option: string
  value: number
}

/** Every value worth trying of every number of the default detectors, or of the one that is named. */
export function listMoves(only?: string): Move[] {
  const chosen = only === undefined ? defaultDetectors() : named(only)
  return chosen.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, start]) =>
      typeof start === 'number'
        ? around(start)
            .map((value) => ({ detector: name, option, value }))
            .filter(isAccepted)
        : [],
    ),
  )
}

/** The guard options that make these moves. */
export function settingsOf(moves: readonly Move[]): GuardOptions {
  const byDetector: Record<string, Record<string, number>> = {}
  for (const { detector, option, value } of moves) {
    byDetector[detector] = { ...byDetector[detector], [option]: value }
  }
  return { detectors: byDetector }
}

export const nameOf = ({ detector, option, value }: Move) => `${detector}.${option} = ${value}`

function named(name: string) {
  const found = detectors.filter((detector) => detector.name === name)
  if (found.length > 0) return found
  const known = detectors.map((detector) => detector.name).join(', ')
  throw new RangeError(`--detector takes one of ${known}, got ${name}`)
}

/** Small whole numbers step by one, others by a share of the default. */
function around(start: number): number[] {
  const steps =
    Number.isInteger(start) && start <= 12
      ? [-2, -1, 1, 2, 4].map((step) => start + step)
      : [0.5, 0.75, 1.25, 1.5, 2].map((factor) =>
          Number.isInteger(start) ? Math.round(start * factor) : round(start * factor),
        )
  // nothing repeats itself once
  const least = Number.isInteger(start) && start > 1 ? 2 : 0.001
  return [...new Set(steps.filter((value) => value >= least && value !== start))]
}

const round = (value: number) => Number(value.toFixed(3))

/** A value that the library refuses is not worth trying. */
function isAccepted(move: Move): boolean {
  try {
    createGuard(settingsOf([move]))
    return true
  } catch {
    return false
  }
}
