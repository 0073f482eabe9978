import { type ContenderResult, summariseSection } from './measure.js'
import { flaggedOf, type Outcome, type Rate, wantedStops } from './metrics.js'
import type { Section } from './sources.js'
import { interval, number, share, type Table } from './tables.js'

/** One row per contender, on recorded material: the table for a reader in a hurry. */
export function summaryTable(results: readonly ContenderResult[]): Table {
  const rows = results.map((result) => {
    const advice = summariseSection(result, 'labelled')
    const stops = summariseSection(result, 'labelled', 'stops')
    const { asked, unwanted } = wantedStops(result.outcomes.labelled ?? [])
    return [
      result.name,
      withInterval(advice.precision),
      withInterval(advice.recall),
      withInterval(stops.precision),
      withInterval(stops.recall),
      count(asked),
      count(unwanted),
      number(advice.medianDelay),
      `${perThousand(result.outcomes.native, 'advice')} / ${perThousand(result.outcomes.native, 'stops')}`,
      unlabelled(result.outcomes.sessions),
      count(summariseSection(result, 'successful', 'stops').falseAlarms),
      count(summariseSection(result, 'ordinary').falseAlarms),
      count(summariseSection(result, 'degenerate').recall),
    ]
  })
  const heading = [
    '',
    'advice: precision',
    'advice: recall',
    'stops: precision',
    'stops: recall of wanted',
    'stopped where the label asks for it',
    'stopped where it says not to',
    'delay',
    'of 1,000 native sessions flagged / stopped',
    'raw sessions flagged',
    'successful runs stopped',
    'ordinary texts flagged',
    'degenerate texts found',
  ]
  return { title: 'In short', rows: used([heading, ...rows]) }
}

/** The same on material that we wrote. */
export function writtenTable(results: readonly ContenderResult[]): Table {
  const rows = results.map((result) => [
    result.name,
    share(summariseSection(result, 'calls').recall),
    share(summariseSection(result, 'calls', 'stops').recall),
    share(summariseSection(result, 'texts').recall),
    count(both(result, 'advice')),
    count(both(result, 'stops')),
    count(summariseSection(result, 'invented').recall),
    count(summariseSection(result, 'invented', 'stops').recall),
    `${count(summariseSection(result, 'invented').falseAlarms)} / ${count(summariseSection(result, 'invented', 'stops').falseAlarms)}`,
  ])
  const heading = [
    '',
    'generated loops advised',
    'stopped',
    'generated chants found',
    'look-alikes flagged',
    'stopped',
    'invented loops advised',
    'stopped within 60 steps',
    'invented honest runs flagged / stopped',
  ]
  return { title: 'Generated and invented, in short', rows: used([heading, ...rows]) }
}

/** Leaves out columns and contenders without data. */
function used([heading = [], ...rows]: string[][]): string[][] {
  const isEmpty = (cell = '') => /^[– /]*$/.test(cell)
  const told = rows.filter(([, ...cells]) => !cells.every(isEmpty))
  const columns = heading.map(
    (_, column) => column === 0 || told.some((row) => !isEmpty(row[column])),
  )
  return [heading, ...told].map((row) => row.filter((_, column) => columns[column]))
}

const withInterval = (rate: Rate) =>
  rate.of === 0 ? '–' : `${number(rate.rate, 2)} (${interval(rate)})`

const count = ({ hits, of }: Pick<Rate, 'hits' | 'of'>) => (of === 0 ? '–' : `${hits} of ${of}`)

const unlabelled = (outcomes: readonly Outcome[] = []) => count(flaggedOf(outcomes, 'advice'))

function perThousand(outcomes: readonly Outcome[] = [], level: 'advice' | 'stops'): string {
  const { rate, of } = flaggedOf(outcomes, level)
  return of === 0 ? '–' : (1000 * rate).toFixed(rate > 0 && rate < 0.01 ? 1 : 0)
}

function both(result: ContenderResult, level: 'advice' | 'stops') {
  const [calls, texts] = (['calls', 'texts'] satisfies Section[]).map(
    (section) => summariseSection(result, section, level).falseAlarms,
  )
  return {
    hits: (calls?.hits ?? 0) + (texts?.hits ?? 0),
    of: (calls?.of ?? 0) + (texts?.of ?? 0),
  }
}
