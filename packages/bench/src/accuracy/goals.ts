import { atLeast, atMost, type Goal } from '../goal.js'
import { type ContenderResult, summariseSection } from './measure.js'
import { flaggedOf, type Level, meanOverSources } from './metrics.js'
import type { Section } from './sources.js'

/** What the default guard has to reach; rows without data are not measured. */
export function checkGoals(result: ContenderResult): Goal[] {
  const advice = summariseSection(result, 'labelled')
  const stops = summariseSection(result, 'labelled', 'stops')
  const mean = meanOverSources(result.outcomes.labelled ?? [], 'advice')
  const flagged = (section: Section, level: Level) =>
    counted(flaggedOf(result.outcomes[section] ?? [], level))
  const degenerate = summariseSection(result, 'degenerate')
  const texts = summariseSection(result, 'texts')
  const written = (level: Level) =>
    flaggedOf(
      [...(result.outcomes.calls ?? []), ...(result.outcomes.texts ?? [])].filter(
        ({ loop }) => !loop,
      ),
      level,
    )
  const invented = summariseSection(result, 'invented', 'stops')
  return [
    atLeast('labelled runs, advice: precision', advice.precision.rate, 0.93),
    atLeast('labelled runs, advice: recall', advice.recall.rate, 0.92),
    atLeast('mean over sources, advice: precision', mean.precision, 0.9),
    atLeast('mean over sources, advice: recall', mean.recall, 0.88),
    atLeast('labelled runs, stops: precision', stops.precision.rate, 0.98),
    atLeast('labelled runs, stops: recall', stops.recall.rate, 0.7),
    atMost('labelled runs: median delay', advice.medianDelay, 3, 'events'),
    atMost('native sessions flagged', flagged('native', 'advice'), 8),
    atMost('native sessions stopped', flagged('native', 'stops'), 0),
    atMost('raw sessions flagged', flagged('sessions', 'advice'), 0),
    atMost('successful runs stopped', flagged('successful', 'stops'), 0),
    atMost('ordinary texts flagged', flagged('ordinary', 'advice'), 0),
    atLeast('degenerate texts found', 100 * degenerate.recall.rate, 95, '%'),
    atLeast('generated chants found in time', 100 * texts.onTime.rate, 100, '%'),
    atMost('generated look-alikes flagged', 100 * written('advice').rate, 2, '%'),
    atMost('generated look-alikes stopped', counted(written('stops')), 0),
    atLeast('invented loops stopped within 60 steps', 100 * invented.recall.rate, 100, '%'),
    atMost('invented honest runs stopped', counted(invented.falseAlarms), 0),
  ]
}

const counted = ({ hits, of }: { hits: number; of: number }) => (of === 0 ? Number.NaN : hits)
