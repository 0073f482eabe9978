import { type ContenderResult, summariseSection } from './measure.js'
import type { Rate } from './metrics.js'
import { number, share, type Table } from './tables.js'

/** One row a contender: the table that a reader in a hurry wants. */
export function summaryTable(results: readonly ContenderResult[]): Table {
  const rows = results.map((result) => {
    const labelled = summariseSection(result, 'labelled')
    const calls = summariseSection(result, 'calls')
    const texts = summariseSection(result, 'texts')
    return [
      result.name,
      `${number(labelled.precision.rate, 2)} / ${number(labelled.recall.rate, 2)}`,
      number(labelled.medianDelay),
      count(summariseSection(result, 'successful').falseAlarms),
      count(summariseSection(result, 'ordinary').falseAlarms),
      count(summariseSection(result, 'degenerate').recall),
      share(calls.recall),
      share(texts.recall),
      count(both(calls.falseAlarms, texts.falseAlarms)),
    ]
  })
  const heading = [
    '',
    'labelled runs: precision / recall',
    'delay',
    'successful runs flagged',
    'ordinary texts flagged',
    'degenerate outputs found',
    'generated loops found',
    'generated chants found',
    'look-alikes flagged',
  ]
  // columns whose data was not given say nothing
  const used = heading.map(
    (_, column) => column === 0 || rows.some((row) => !/^[– /]*$/.test(row[column] ?? '')),
  )
  return {
    title: 'In short',
    rows: [heading, ...rows].map((row) => row.filter((_, column) => used[column])),
  }
}

const count = ({ hits, of }: Pick<Rate, 'hits' | 'of'>) => (of === 0 ? '–' : `${hits} of ${of}`)

const both = (one: Rate, other: Rate) => ({ hits: one.hits + other.hits, of: one.of + other.of })
