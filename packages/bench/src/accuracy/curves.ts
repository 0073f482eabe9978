import { defaultDetectors, detectors } from 'unloop'
import { type Contender, guardContender } from './contenders.js'
import { type ContenderResult, measureAccuracy, summariseSection } from './measure.js'
import { type Section, type SourceRun, sections } from './sources.js'
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

/** A curve for every number of every detector that is on by default, or of the one that is named. */
export async function measureCurves(
  runs: readonly SourceRun[],
  only?: string,
  progress: (curve: string) => void = () => {},
): Promise<Curve[]> {
  const chosen = only === undefined ? defaultDetectors() : named(only)
  const [usual] = await measureAccuracy([guardContender('default')], runs)
  const curves: Curve[] = []
  for (const { name, options, on } of chosen) {
    const subject = SUBJECTS.find((type) => on.includes(type))
    const isTouched = (run: SourceRun) => run.events.some(({ type }) => type === subject)
    const touched = runs.filter(isTouched)
    const [rest] = await measureAccuracy(
      [guardContender('default')],
      runs.filter((run) => !isTouched(run)),
    )
    for (const [option, start] of Object.entries(options)) {
      if (typeof start !== 'number' || !usual || !rest) continue
      progress(`${name}.${option}`)
      const points: CurvePoint[] = []
      for (const value of around(start)) {
        const isDefault = value === start
        const contender = isDefault ? undefined : makeContender(name, option, value)
        if (!contender && !isDefault) continue
        const [moved] = contender ? await measureAccuracy([contender], touched) : []
        points.push({ value, isDefault, result: moved ? join(moved, rest) : usual })
      }
      curves.push({ detector: name, option, points })
    }
  }
  return curves
}

// where there is no thought, no text, no call or no handoff, a detector of them has nothing to find,
// wherever its options stand: such runs need no second look
const SUBJECTS = ['reasoning', 'text', 'tool-call', 'handoff'] as const

function named(name: string) {
  const found = detectors.filter((detector) => detector.name === name)
  if (found.length > 0) return found
  const known = detectors.map((detector) => detector.name).join(', ')
  throw new RangeError(`--detector takes one of ${known}, got ${name}`)
}

function join(one: ContenderResult, other: ContenderResult): ContenderResult {
  const outcomes: ContenderResult['outcomes'] = {}
  for (const section of Object.keys(sections) as Section[]) {
    const both = [...(one.outcomes[section] ?? []), ...(other.outcomes[section] ?? [])]
    if (both.length > 0) outcomes[section] = both
  }
  return { name: one.name, outcomes }
}

/** A value that the library refuses is no point of the curve. */
function makeContender(name: string, option: string, value: number): Contender | undefined {
  try {
    const contender = guardContender(`${name} ${option} ${value}`, {
      detectors: { [name]: { [option]: value } },
    })
    contender.watch([])
    return contender
  } catch {
    return undefined
  }
}

/** Small whole numbers step by one, others by a share of the default. */
function around(start: number): number[] {
  const steps =
    Number.isInteger(start) && start <= 12
      ? [-2, -1, 0, 1, 2, 4].map((step) => start + step)
      : [0.5, 0.75, 1, 1.25, 1.5, 2].map((factor) =>
          Number.isInteger(start) ? Math.round(start * factor) : round(start * factor),
        )
  return [...new Set(steps.filter((value) => value > 0))]
}

const round = (value: number) => Number(value.toFixed(3))

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
  'labelled: precision / recall',
  'delay',
  'successful flagged',
  'ordinary texts flagged',
  'degenerate found',
  'generated loops found',
  'on time',
  'chants found',
  'on time',
  'look-alikes flagged',
]

function curveCells(result: ContenderResult): string[] {
  const [labelled, successful, ordinary, degenerate, calls, texts] = (
    ['labelled', 'successful', 'ordinary', 'degenerate', 'calls', 'texts'] as const
  ).map((section) => summariseSection(result, section)) as [S, S, S, S, S, S]
  return [
    `${number(labelled.precision.rate, 2)} / ${number(labelled.recall.rate, 2)}`,
    number(labelled.medianDelay),
    count(successful.falseAlarms),
    count(ordinary.falseAlarms),
    count(degenerate.recall),
    count(calls.recall),
    share(calls.onTime),
    count(texts.recall),
    share(texts.onTime),
    `${calls.falseAlarms.hits + texts.falseAlarms.hits}`,
  ]
}

type S = ReturnType<typeof summariseSection>

const count = ({ hits, of }: { hits: number; of: number }) => (of === 0 ? '–' : `${hits}`)
