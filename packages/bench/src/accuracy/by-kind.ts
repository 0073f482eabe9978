import type { ContenderResult } from './measure.js'
import { groupBy, summarise, wantedStops } from './metrics.js'
import { number, type Table } from './tables.js'

/** What one contender made of each kind of recorded loop, the commonest kind first. */
export function recordedKindTable({ name, outcomes }: ContenderResult): Table {
  const loops = (outcomes.labelled ?? []).filter(({ loop }) => loop)
  const kinds = [...groupBy(loops, ({ kind }) => kind)].sort(
    ([, one], [, other]) => other.length - one.length,
  )
  const rows = [...kinds, ['all', loops] as const].map(([kind, list]) => {
    const { recall, early, medianDelay } = summarise(list)
    const { wanted, unwanted } = wantedStops(list)
    return [
      kind,
      `${recall.of}`,
      `${recall.hits}`,
      number(recall.rate, 2),
      `${early}`,
      number(medianDelay),
      `${wanted.hits} of ${wanted.of}`,
      number(wanted.rate, 2),
      `${unwanted.hits} of ${unwanted.of}`,
    ]
  })
  return { title: `${name}: by kind of labeled loop`, rows: [HEADING, ...rows] }
}

const HEADING = [
  'kind',
  'loops',
  'found',
  'recall',
  'early',
  'delay',
  'stopped of wanted',
  'recall of wanted',
  'stopped of not wanted',
]
