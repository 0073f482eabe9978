import { detectors } from 'unloop'
import { textTable } from '../table.js'
import { guardContender } from './contenders.js'
import { measureAccuracy, summariseSection } from './measure.js'
import type { Summary } from './metrics.js'
import { type Section, type SourceRun, sections } from './sources.js'
import { number } from './tables.js'

export interface CurvePoint {
  value: number
  isDefault: boolean
  sections: ({ section: Section } & Pick<Summary, 'precision' | 'recall' | 'falseAlarms'>)[]
}

/** What moving one option of one detector does, all else at its default. */
export interface Curve {
  detector: string
  option: string
  points: CurvePoint[]
}

export async function measureCurves(runs: readonly SourceRun[], only?: string): Promise<Curve[]> {
  const curves: Curve[] = []
  for (const { name, options } of detectors) {
    if (only !== undefined && only !== name) continue
    for (const [option, start] of Object.entries(options)) {
      if (typeof start !== 'number') continue
      curves.push({
        detector: name,
        option,
        points: await measureOption(runs, name, option, start),
      })
    }
  }
  return curves
}

async function measureOption(
  runs: readonly SourceRun[],
  name: string,
  option: string,
  start: number,
) {
  const points: CurvePoint[] = []
  for (const value of around(start)) {
    const contender = makeContender(name, option, value)
    if (!contender) continue
    const [result] = await measureAccuracy([contender], runs)
    if (!result) continue
    const present = (Object.keys(sections) as Section[]).filter(
      (section) => result.outcomes[section],
    )
    points.push({
      value,
      isDefault: value === start,
      sections: present.map((section) => {
        const { precision, recall, falseAlarms } = summariseSection(result, section)
        return { section, precision, recall, falseAlarms }
      }),
    })
  }
  return points
}

/** A value that the library refuses is no point of the curve. */
function makeContender(name: string, option: string, value: number) {
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
          Number.isInteger(start) ? Math.round(start * factor) : start * factor,
        )
  return [...new Set(steps.filter((value) => value > 0))]
}

export function printCurves(curves: readonly Curve[]): string {
  return curves
    .map(({ detector, option, points }) => {
      const heading = [
        '',
        'value',
        ...(points[0]?.sections ?? []).map(({ section }) => sections[section]),
      ]
      const rows = points.map(({ value, isDefault, sections }) => [
        isDefault ? 'default' : '',
        String(value),
        ...sections.map(curveCell),
      ])
      return `${detector}, ${option} (precision / recall, honest flagged)\n\n${textTable([heading, ...rows])}\n`
    })
    .join('\n')
}

function curveCell({ precision, recall, falseAlarms }: CurvePoint['sections'][number]): string {
  const flagged = falseAlarms.of > 0 ? `${falseAlarms.hits} of ${falseAlarms.of}` : ''
  if (recall.of === 0) return flagged
  const rates = `${number(precision.rate, 2)} / ${number(recall.rate, 2)}`
  return flagged ? `${rates}, ${flagged}` : rates
}
