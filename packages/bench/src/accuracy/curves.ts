import { detectors } from 'unloop'
import { addOutcome, type ContenderResult, summariseSection } from './measure.js'
import { flaggedOf, groupBy } from './metrics.js'
import { listMoves, type Move, nameOf } from './moves.js'
import type { Section, Sources } from './sources.js'
import { type SweptRun, sweep } from './sweep.js'
import type { Rows } from './tables.js'
import { number, share } from './tables.js'

export interface CurvePoint {
  value: number
  isDefault: boolean
  result: ContenderResult
}

/** What moving one option of one detector does, all else at its default. */
export interface Curve {
  detector: string
  option: string
  points: CurvePoint[]
}

const WANTED: Section[] = [
  'labelled',
  'successful',
  'native',
  'ordinary',
  'degenerate',
  'invented',
  'calls',
  'texts',
]

/** A curve for every number of every detector that is on by default, or of the one that is named. */
export async function measureCurves(sources: Sources, only?: string): Promise<Curve[]> {
  const moves = listMoves(only)
  return toCurves(await sweep(sources, WANTED, moves), moves)
}

function toCurves(runs: readonly SweptRun[], moves: readonly Move[]): Curve[] {
  const usual = resultOf(runs)
  const options = groupBy(moves, ({ detector, option }) => `${detector}.${option}`)
  return [...options.values()].map((values) => {
    const { detector, option } = values[0] as Move
    const start = Number(detectors.find(({ name }) => name === detector)?.options[option])
    const points = [
      ...values.map((move) => ({
        value: move.value,
        isDefault: false,
        result: resultOf(runs, move),
      })),
      { value: start, isDefault: true, result: usual },
    ]
    return { detector, option, points: points.sort((a, b) => a.value - b.value) }
  })
}

function resultOf(runs: readonly SweptRun[], move?: Move): ContenderResult {
  const name = move ? nameOf(move) : 'default'
  const result: ContenderResult = { name, outcomes: {} }
  for (const { sections, usual, moved } of runs) {
    addOutcome(result, sections, moved.get(name) ?? usual)
  }
  return result
}

/** A curve as a table; a dot stands for what is as it is with the default. */
export function curveTable({ points }: Curve): Rows {
  const usual = points.find(({ isDefault }) => isDefault)
  const rows = points.map((point) => {
    const cells = curveCells(point.result)
    if (point.isDefault) return [`${point.value}, the default`, ...cells]
    const before = usual ? curveCells(usual.result) : []
    return [`${point.value}`, ...cells.map((cell, i) => (cell === before[i] ? '·' : cell))]
  })
  return [CURVE_HEADING, ...rows]
}

const CURVE_HEADING = [
  'value',
  'advice: precision / recall',
  'stops: precision / recall of wanted',
  'delay: advice / stops',
  'native flagged / stopped',
  'successful flagged / stopped',
  'ordinary texts flagged',
  'degenerate found',
  'generated loops advised / stopped',
  'loops on time',
  'chants found',
  'chants on time',
  'look-alikes flagged / stopped',
  'invented loops stopped',
  'invented honest flagged / stopped',
]

function curveCells(result: ContenderResult): string[] {
  const of = (section: Section) => summariseSection(result, section)
  const stops = (section: Section) => summariseSection(result, section, 'stops')
  const native = result.outcomes.native ?? []
  return [
    rates(of('labelled')),
    rates(stops('labelled')),
    `${number(of('labelled').medianDelay)} / ${number(stops('labelled').medianDelay)}`,
    pair(flaggedOf(native, 'advice'), flaggedOf(native, 'stops')),
    pair(of('successful').falseAlarms, stops('successful').falseAlarms),
    count(of('ordinary').falseAlarms),
    count(of('degenerate').recall),
    pair(of('calls').recall, stops('calls').recall),
    share(of('calls').onTime),
    count(of('texts').recall),
    share(of('texts').onTime),
    `${of('calls').falseAlarms.hits + of('texts').falseAlarms.hits} / ${stops('calls').falseAlarms.hits + stops('texts').falseAlarms.hits}`,
    count(stops('invented').recall),
    pair(of('invented').falseAlarms, stops('invented').falseAlarms),
  ]
}

const rates = ({ precision, recall }: ReturnType<typeof summariseSection>) =>
  `${number(precision.rate, 2)} / ${number(recall.rate, 2)}`

const pair = (one: Counted, other: Counted) => (one.of === 0 ? '–' : `${one.hits} / ${other.hits}`)

const count = ({ hits, of }: Counted) => (of === 0 ? '–' : `${hits}`)

type Counted = { hits: number; of: number }
