import type { ContenderResult } from './measure.js'
import { knownOutcomes, summariseSection } from './measure.js'
import { groupBy, type Outcome, type Rate, summarise } from './metrics.js'
import { type Section, sections } from './sources.js'

export type Rows = string[][]

export interface Table {
  title: string
  rows: Rows
}

/** The tables of a result, for the terminal, for Markdown and for the HTML report. */
export function makeTables(results: readonly ContenderResult[]): Table[] {
  const present = (Object.keys(sections) as Section[]).filter((section) =>
    results.some(({ outcomes }) => outcomes[section]),
  )
  return present.map((section) => ({
    title: titleOf(section, results),
    rows: sectionRows(section, results),
  }))
}

/** Which kinds were missed or flagged, for each contender, as hits of cases. */
export function kindTable(results: readonly ContenderResult[]): Table {
  const all = (['calls', 'texts'] as const).flatMap(
    (section) => results[0]?.outcomes[section] ?? [],
  )
  const kinds = [...groupBy(all, ({ kind }) => kind)]
  const rows = kinds.map(([kind, outcomes]) => [
    kind,
    outcomes[0]?.loop ? 'loop' : 'honest',
    ...results.map((result) => {
      const own = (['calls', 'texts'] as const)
        .flatMap((section) => result.outcomes[section] ?? [])
        .filter((outcome) => outcome.kind === kind)
      const hits = own.filter(({ loop, found, falseAlarm }) => (loop ? found : falseAlarm)).length
      return `${hits}/${own.length}`
    }),
  ])
  return {
    title: 'Generated kinds: loops found, honest work flagged',
    rows: [['kind', '', ...results.map(({ name }) => name)], ...rows],
  }
}

/** What each detector of one contender was first to see, rightly and wrongly. */
export function detectorTable(result: ContenderResult): Table {
  const outcomes = knownOutcomes(result)
  const alarmed = outcomes.filter(({ detector }) => detector !== undefined)
  const found = outcomes.filter((outcome) => outcome.found)
  const twice = found.filter(({ identities = 1 }) => identities > 1).length
  const rows = [...groupBy(alarmed, ({ detector = '' }) => detector)]
    .map(([detector, list]) => [
      detector,
      String(list.filter(({ found }) => found).length),
      String(list.filter(({ falseAlarm }) => falseAlarm).length),
      number(summarise(list.filter(({ loop }) => loop)).medianDelay),
    ])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return {
    title: `Detectors of ${result.name}: who saw it first (${twice} of ${found.length} loops reported under more than one name)`,
    rows: [['detector', 'loops', 'false alarms', 'median delay'], ...rows],
  }
}

function titleOf(section: Section, results: readonly ContenderResult[]): string {
  const outcomes = results[0]?.outcomes[section] ?? []
  const loops = outcomes.filter(({ loop }) => loop).length
  const honest = outcomes.length - loops
  const parts = [loops > 0 ? `${loops} loops` : '', honest > 0 ? `${honest} honest` : '']
  const counted = section === 'other' ? `${outcomes.length}` : parts.filter(Boolean).join(', ')
  return `${sections[section]} (${counted})`
}

function sectionRows(section: Section, results: readonly ContenderResult[]): Rows {
  if (section === 'other') {
    return [
      ['', 'flagged'],
      ...results.map((result) => [result.name, percent(flagged(result.outcomes.other))]),
    ]
  }
  if (section === 'successful' || section === 'ordinary') {
    return [
      ['', 'flagged', 'share', '95 %'],
      ...results.map((result) => {
        const { falseAlarms } = summariseSection(result, section)
        return [result.name, `${falseAlarms.hits}`, share(falseAlarms), interval(falseAlarms)]
      }),
    ]
  }
  if (section === 'degenerate') {
    return [
      ['', 'found', 'share', '95 %'],
      ...results.map((result) => {
        const { recall } = summariseSection(result, section)
        return [result.name, `${recall.hits}`, share(recall), interval(recall)]
      }),
    ]
  }
  return [
    ['', 'precision', '95 %', 'recall', '95 %', 'honest flagged', 'on time', 'median delay'],
    ...results.map((result) => {
      const { precision, recall, falseAlarms, onTime, medianDelay } = summariseSection(
        result,
        section,
      )
      return [
        result.name,
        number(precision.rate, 3),
        interval(precision),
        number(recall.rate, 3),
        interval(recall),
        `${falseAlarms.hits}`,
        share(onTime),
        number(medianDelay),
      ]
    }),
  ]
}

/** Unlabelled runs have no truth to compare with: only how many were flagged. */
function flagged(outcomes: readonly Outcome[] = []): Rate {
  const hits = outcomes.filter(({ detector }) => detector !== undefined).length
  return { hits, of: outcomes.length, rate: hits / outcomes.length, low: 0, high: 1 }
}

const percent = (rate: Rate) => `${rate.hits} (${share(rate)})`

/** Neither the first few nor the last few per cent may be rounded away. */
export const share = ({ rate }: Rate) => {
  if (Number.isNaN(rate)) return '–'
  const isNearEnd = (rate > 0 && rate < 0.1) || (rate > 0.9 && rate < 1)
  return `${(100 * rate).toFixed(isNearEnd ? 1 : 0)} %`
}

const interval = ({ low, high, of }: Rate) =>
  of === 0 ? '–' : `${low.toFixed(2)}–${high.toFixed(2)}`

export const number = (value: number, digits = 0) =>
  Number.isNaN(value) ? '–' : digits > 0 ? value.toFixed(digits) : String(value)
