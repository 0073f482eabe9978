import { atLeast, atMost, type Goal } from '../goal.js'
import { type ContenderResult, summariseSection } from './measure.js'
import { flaggedOf, type Level, summarise, wantedStops } from './metrics.js'
import { orchestratorSources, type Section } from './sources.js'

/**
 * What the default guard has to reach; rows without data are not measured. Labeled runs are taken from the second
 * result: the one with each source left out, if there is one.
 */
export function checkGoals(result: ContenderResult, held: ContenderResult = result): Goal[] {
  const labelled = held.outcomes.labelled ?? []
  const advice = summariseSection(held, 'labelled')
  const stops = summariseSection(held, 'labelled', 'stops')
  const { wanted, asked } = wantedStops(labelled)
  const orchestrators = summarise(labelled.filter(({ family }) => orchestratorSources.has(family)))
  const flagged = (section: Section, level: Level, of = result) =>
    counted(flaggedOf(of.outcomes[section] ?? [], level))
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
    atLeast('labeled runs, advice: precision', advice.precision.rate, 0.95),
    atLeast('labeled runs, advice: recall', advice.recall.rate, 0.9),
    atLeast('labeled runs, stops: precision', stops.precision.rate, 1),
    atLeast('labeled runs, stops: recall of wanted stops', wanted.rate, 0.8),
    atLeast('labeled runs, stops: recall where the label asks for one', asked.rate, 0.8),
    atMost('labeled runs: median delay', advice.medianDelay, 3, 'events'),
    atLeast('labeled runs of orchestrators, advice: recall', orchestrators.recall.rate, 0.6),
    atMost('native sessions flagged', flagged('native', 'advice', held), 2),
    atMost('native sessions stopped', flagged('native', 'stops', held), 0),
    ...(held === result
      ? []
      : [
          atMost('native sessions flagged, with the defaults', flagged('native', 'advice'), 2),
          atMost('native sessions stopped, with the defaults', flagged('native', 'stops'), 0),
        ]),
    atMost('raw sessions flagged', flagged('sessions', 'advice'), 0),
    atMost('successful runs stopped', flagged('successful', 'stops'), 0),
    atMost('ordinary texts flagged', flagged('ordinary', 'advice'), 0),
    atLeast('degenerate texts found', 100 * degenerate.recall.rate, 98, '%'),
    atLeast('generated chants found in time', 100 * texts.onTime.rate, 100, '%'),
    atMost('generated look-alikes flagged', 100 * written('advice').rate, 2, '%'),
    atMost('generated look-alikes stopped', counted(written('stops')), 0),
    atLeast('invented loops stopped within 60 steps', 100 * invented.recall.rate, 95, '%'),
    atMost('invented honest runs stopped', counted(invented.falseAlarms), 0),
  ]
}

const counted = ({ hits, of }: { hits: number; of: number }) => (of === 0 ? Number.NaN : hits)
