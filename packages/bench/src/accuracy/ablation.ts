import { detectors } from 'unloop'
import { guardContender } from './contenders.js'
import { type ContenderResult, knownOutcomes, measureAccuracy } from './measure.js'
import { summarise } from './metrics.js'
import type { SourceRun } from './sources.js'
import { number, share, type Table } from './tables.js'

/** What each detector finds alone, and what is lost without it. */
export async function ablationTable(runs: readonly SourceRun[]): Promise<Table> {
  const names = detectors.map(({ name }) => name)
  const off = (list: readonly string[]) =>
    Object.fromEntries(list.map((name) => [name, false as const]))
  const everything = guardContender('all')
  const contenders = names.flatMap((name) => [
    guardContender(`${name} alone`, { detectors: off(names.filter((other) => other !== name)) }),
    guardContender(`without ${name}`, { detectors: off([name]) }),
  ])
  const results = await measureAccuracy([everything, ...contenders], runs)
  return {
    title: 'Each detector alone, and all without it',
    rows: [
      ['', 'precision', 'recall', 'honest flagged', 'loops stopped', 'honest stopped'],
      ...results.map(ablationRow),
    ],
  }
}

function ablationRow(result: ContenderResult): string[] {
  const outcomes = knownOutcomes(result)
  const { precision, recall, falseAlarms } = summarise(outcomes)
  const stops = summarise(outcomes, 'stops')
  return [
    result.name,
    number(precision.rate, 3),
    share(recall),
    `${falseAlarms.hits} of ${falseAlarms.of}`,
    share(stops.recall),
    `${stops.falseAlarms.hits}`,
  ]
}
