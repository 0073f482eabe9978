import { UsageError } from '../exit-code.js'
import type { Limit } from './write-config.js'

/** Somebody whose agents need other limits than the default ones. */
export interface Profile {
  name: string
  /** whose agents these are */
  who: string
  /** `stricter` or `more lenient`, and about what */
  change: string
  limits: readonly Limit[]
}

const toLimits = (settings: Record<string, Record<string, number>>): Limit[] =>
  Object.entries(settings).flatMap(([detector, options]) =>
    Object.entries(options).map(([option, value]) => ({ detector, option, value })),
  )

/** docs/thresholds.md gives the reasons; a test compares the page with this list. */
export const profiles: readonly Profile[] = [
  {
    name: 'unattended',
    who: 'fleets and CI jobs that nobody watches',
    change: 'stricter, runs are stopped sooner',
    limits: toLimits({
      failing: { limit: 4, places: 9 },
    }),
  },
  {
    name: 'small-models',
    who: 'cheap models that get stuck often',
    change: 'stricter, the model is advised sooner',
    limits: toLimits({
      failing: { likely: 3 },
      'same-answer': { likely: 4 },
      'scattered-call': { likely: 4 },
    }),
  },
  {
    name: 'long-waits',
    who: 'agents that wait for builds, deployments or other jobs',
    change: 'more lenient with waits',
    limits: toLimits({
      'repeated-call': { waits: 100, polls: 110 },
      'call-cycle': { waits: 100 },
      'scattered-call': { waits: 100 },
      'same-answer': { waits: 100 },
    }),
  },
  {
    name: 'browser',
    who: 'agents that click, scroll and look at screens',
    change: 'more lenient with repeated answers',
    limits: toLimits({
      'repeated-call': { likely: 5, limit: 8 },
      'scattered-call': { likely: 7, limit: 10 },
      paging: { limit: 40 },
    }),
  },
  {
    name: 'batch',
    who: 'agents that do one thing to hundreds of items',
    change: 'more lenient with the same step on new items',
    limits: toLimits({
      failing: { places: 24, batch: 80 },
      'same-answer': { likely: 9, limit: 14, batch: 80 },
      'call-flood': { calls: 400 },
    }),
  },
]

export function readProfile(name: string): Profile {
  const found = profiles.find((profile) => profile.name === name)
  if (found) return found
  const known = profiles.map((profile) => profile.name).join(', ')
  throw new UsageError(`--for takes one of ${known}, got ${name}`)
}
