import { detectors } from 'unloop'
import type { LeftOut } from './leave-out.js'
import type { ContenderResult } from './measure.js'
import { flaggedOf, groupBy, meanOverSources, type Outcome, summarise } from './metrics.js'
import type { Move } from './moves.js'
import { orchestratorSources } from './sources.js'
import { interval, number, type Table } from './tables.js'

/** The results of one contender on each source, on all, and as the mean over sources. */
export function sourceTable(result: ContenderResult, title: string): Table {
  const labelled = result.outcomes.labelled ?? []
  const native = groupBy(result.outcomes.native ?? [], ({ family }) => family)
  const rows = [...groupBy(labelled, ({ family }) => family)].map(([source, outcomes]) =>
    sourceRow(source, outcomes, native.get(source) ?? []),
  )
  const [advice, stops] = (['advice', 'stops'] as const).map((level) =>
    meanOverSources(labelled, level),
  )
  const all = summarise(labelled)
  const stopped = summarise(labelled, 'stops')
  return {
    title,
    rows: [
      HEADING,
      ...rows,
      sourceRow('all', labelled, result.outcomes.native ?? []),
      [
        '95 %',
        '',
        interval(all.precision),
        interval(all.recall),
        '',
        interval(stopped.precision),
        interval(stopped.recall),
        '',
        '',
        '',
      ],
      [
        'mean over sources',
        '',
        number(advice?.precision ?? Number.NaN, 2),
        number(advice?.recall ?? Number.NaN, 2),
        '',
        number(stops?.precision ?? Number.NaN, 2),
        number(stops?.recall ?? Number.NaN, 2),
        '',
        '',
        '',
      ],
    ],
  }
}

const HEADING = [
  'source',
  'loops / honest',
  'advice: precision',
  'recall',
  'early',
  'stops: precision',
  'recall of wanted',
  'early',
  'delay',
  'native: flagged / stopped / of',
]

function sourceRow(
  name: string,
  outcomes: readonly Outcome[],
  native: readonly Outcome[],
): string[] {
  const advice = summarise(outcomes)
  const stops = summarise(outcomes, 'stops')
  return [
    name,
    `${advice.recall.of} / ${advice.falseAlarms.of}`,
    number(advice.precision.rate, 2),
    number(advice.recall.rate, 2),
    `${advice.early}`,
    number(stops.precision.rate, 2),
    number(stops.recall.rate, 2),
    `${stops.early}`,
    number(advice.medianDelay),
    native.length === 0
      ? '–'
      : `${flaggedOf(native, 'advice').hits} / ${flaggedOf(native, 'stops').hits} / ${native.length}`,
  ]
}

/** Agents that speak before they act, agents that only act, and agents that direct others. */
export function agentTable({ name, outcomes }: ContenderResult): Table {
  const labelled = outcomes.labelled ?? []
  const native = outcomes.native ?? []
  const groups: [string, (outcome: Outcome) => boolean][] = [
    ['agents that talk', ({ talks }) => talks],
    ['agents that are silent', ({ talks }) => !talks],
    ['orchestrators, among both', ({ family }) => orchestratorSources.has(family)],
  ]
  const rows = groups.map(([group, belongs]) =>
    sourceRow(group, labelled.filter(belongs), native.filter(belongs)),
  )
  const heading = HEADING.map((cell, column) => (column === 0 ? '' : cell))
  return {
    title: `${name}: agents that talk before they act, others, and orchestrators`,
    rows: [heading, ...rows],
  }
}

/** Which limits were chosen when a source was left out, and for how many of the sources. */
export function chosenTable(left: readonly LeftOut[]): Table {
  const chosen = left.flatMap((one) => one.chosen)
  const rows = [...groupBy(chosen, ({ detector, option }) => `${detector}.${option}`)].map(
    ([option, moves]) => {
      const values = [...groupBy(moves, ({ value }) => `${value}`)]
      const { detector: name, option: key } = moves[0] as Move
      const usual = detectors.find((detector) => detector.name === name)?.options[key]
      return [
        option,
        `${usual}`,
        values.map(([value, list]) => `${value} (${list.length})`).join(', '),
        `${left.length - moves.length}`,
      ]
    },
  )
  return {
    title: `Limits chosen with one of ${left.length} sources left out; all others stayed at the default`,
    rows: [['limit', 'default', 'chosen (so many times)', 'default kept'], ...rows.sort()],
  }
}
