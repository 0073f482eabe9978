import type { ContenderResult } from './measure.js'
import { knownOutcomes, summariseSection } from './measure.js'
import { flaggedOf, groupBy, type Outcome, type Rate, summarise, wantedStops } from './metrics.js'
import { type Section, sections } from './sources.js'

export type Rows = string[][]

export interface Table {
  title: string
  rows: Rows
}

/** The tables of a result, for the terminal, for Markdown and for the HTML report. */
export function makeTables(results: readonly ContenderResult[]): Table[] {
  return (Object.keys(sections) as Section[]).flatMap((section) => {
    const present = results.filter(({ outcomes }) => outcomes[section])
    if (present.length === 0) return []
    return [{ title: titleOf(section, present), rows: sectionRows(section, present) }]
  })
}

/** Which kinds were missed or flagged, for each contender, as hits per case; for ours also what was stopped. */
export function kindTable(results: readonly ContenderResult[]): Table {
  const written = ({ outcomes }: ContenderResult) => [
    ...(outcomes.invented ?? []),
    ...(outcomes.calls ?? []),
    ...(outcomes.texts ?? []),
  ]
  const own = results[0] ? written(results[0]) : []
  const rows = [...groupBy(own, ({ kind }) => kind)].map(([kind, outcomes]) => [
    kind,
    outcomes[0]?.loop ? 'loop' : 'honest',
    hitsOf(outcomes, 'stops'),
    ...results.map((result) =>
      hitsOf(
        written(result).filter((outcome) => outcome.kind === kind),
        'advice',
      ),
    ),
  ])
  return {
    title: 'Invented and generated kinds: loops found, honest work flagged',
    rows: [['kind', '', 'stopped by unloop', ...results.map(({ name }) => name)], ...rows],
  }
}

function hitsOf(outcomes: readonly Outcome[], level: 'advice' | 'stops'): string {
  const hits = outcomes.filter(({ loop, [level]: { found, wrong } }) => (loop ? found : wrong))
  return `${hits.length}/${outcomes.length}`
}

/** What each detector of one contender was the first to see, correctly or not, and in how many kinds of material. */
export function detectorTable(result: ContenderResult): Table {
  const outcomes = knownOutcomes(result)
  const alarmed = outcomes.filter(({ detector }) => detector !== undefined)
  const found = outcomes.filter(({ advice }) => advice.found)
  const twice = found.filter(({ identities = 1 }) => identities > 1).length
  const recorded = new Set([
    ...(result.outcomes.labelled ?? []),
    ...(result.outcomes.degenerate ?? []),
  ])
  const rows = [...groupBy(alarmed, ({ detector = '' }) => detector)]
    .map(([detector, list]) => {
      const right = list.filter(({ advice }) => advice.found)
      const places = [...groupBy(right, (outcome) => outcome.family).keys()]
      return [
        detector,
        String(right.length),
        String(right.filter((outcome) => recorded.has(outcome)).length),
        String(right.filter(({ stops }) => stops.found).length),
        String(list.filter(({ advice }) => advice.wrong).length),
        number(summarise(list.filter(({ loop }) => loop)).medianDelay),
        String(places.length),
      ]
    })
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  const heading = [
    'detector',
    'loops',
    'of them recorded',
    'stopped in the end',
    'false alarms',
    'median delay',
    'sources and families',
  ]
  return {
    title: `Detectors of ${result.name}: who saw it first (${twice} of ${found.length} loops reported under more than one name)`,
    rows: [heading, ...rows],
  }
}

function titleOf(section: Section, results: readonly ContenderResult[]): string {
  const outcomes = results[0]?.outcomes[section] ?? []
  if (isUnlabelled(section)) return `${sections[section]} (${outcomes.length})`
  const loops = outcomes.filter(({ loop }) => loop).length
  const honest = outcomes.length - loops
  const parts = [loops > 0 ? `${loops} loops` : '', honest > 0 ? `${honest} honest` : '']
  return `${sections[section]} (${parts.filter(Boolean).join(', ')})`
}

const isUnlabelled = (section: Section) =>
  section === 'other' || section === 'native' || section === 'sessions'

function sectionRows(section: Section, results: readonly ContenderResult[]): Rows {
  if (isUnlabelled(section) || section === 'successful' || section === 'ordinary') {
    return [
      ['', 'flagged', 'per 1,000', '95 %', 'stopped', 'per 1,000', '95 %'],
      ...results.map(({ name, outcomes }) => [
        name,
        ...(['advice', 'stops'] as const).flatMap((level) =>
          perThousand(flaggedOf(outcomes[section] ?? [], level)),
        ),
      ]),
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
  const rows = [KNOWN_HEADING, ...results.map((result) => knownRow(result, section))]
  return section === 'labelled'
    ? rows.map((row, at) => [...row, ...stopCells(results[at - 1])])
    : rows
}

/** The stops that a label asks for, and those that it does not want. */
function stopCells(result: ContenderResult | undefined): string[] {
  if (!result) return ['stopped where the label asks for it', 'stopped where it says not to']
  const { asked, unwanted } = wantedStops(result.outcomes.labelled ?? [])
  return [asked, unwanted].map(({ hits, of }) => `${hits} of ${of}`)
}

const KNOWN_HEADING = [
  '',
  'advice: precision',
  '95 %',
  'recall',
  '95 %',
  'early',
  'honest flagged',
  'on time',
  'median delay',
  'stops: precision',
  '95 %',
  'recall of wanted',
  '95 %',
  'honest stopped',
]

function knownRow(result: ContenderResult, section: Section): string[] {
  const advice = summariseSection(result, section)
  const stops = summariseSection(result, section, 'stops')
  return [
    result.name,
    number(advice.precision.rate, 3),
    interval(advice.precision),
    number(advice.recall.rate, 3),
    interval(advice.recall),
    `${advice.early}`,
    `${advice.falseAlarms.hits}`,
    share(advice.onTime),
    number(advice.medianDelay),
    number(stops.precision.rate, 3),
    interval(stops.precision),
    number(stops.recall.rate, 3),
    interval(stops.recall),
    `${stops.falseAlarms.hits}`,
  ]
}

const perThousand = ({ hits, of, rate, low, high }: Rate) => {
  const thousandth = (value: number) => (1000 * value).toFixed(value < 0.01 ? 1 : 0)
  if (of === 0) return ['–', '–', '–']
  return [`${hits}`, thousandth(rate), `${thousandth(low)}–${thousandth(high)}`]
}

/** Does not round away the first or the last few percent. */
export const share = ({ rate }: Rate) => {
  if (Number.isNaN(rate)) return '–'
  const isNearEnd = (rate > 0 && rate < 0.1) || (rate > 0.9 && rate < 1)
  return `${(100 * rate).toFixed(isNearEnd ? 1 : 0)} %`
}

export const interval = ({ low, high, of }: Rate) =>
  of === 0 ? '–' : `${low.toFixed(2)}–${high.toFixed(2)}`

export const number = (value: number, digits = 0) =>
  Number.isNaN(value) ? '–' : digits > 0 ? value.toFixed(digits) : String(value)
