import { atLeast, atMost, type Goal } from '../goal.js'
import { type ContenderResult, summariseSection } from './measure.js'

/** What the default guard has to reach; rows whose data was not given are not measured. */
export function checkGoals(result: ContenderResult): Goal[] {
  const labelled = summariseSection(result, 'labelled')
  const successful = summariseSection(result, 'successful')
  const ordinary = summariseSection(result, 'ordinary')
  const degenerate = summariseSection(result, 'degenerate')
  const texts = summariseSection(result, 'texts')
  const calls = summariseSection(result, 'calls')
  return [
    atLeast('labelled runs: precision', labelled.precision.rate, 0.98),
    atLeast('labelled runs: recall', labelled.recall.rate, 0.95),
    atMost('labelled runs: median delay', labelled.medianDelay, 4, 'events'),
    atMost('successful runs flagged', 100 * successful.falseAlarms.rate, 0.5, '%'),
    atMost('ordinary texts flagged', counted(ordinary.falseAlarms), 0),
    atLeast('degenerate outputs found', 100 * degenerate.recall.rate, 95, '%'),
    atLeast('generated chants found in time', 100 * texts.onTime.rate, 100, '%'),
    atMost(
      'generated look-alikes flagged',
      counted(calls.falseAlarms) + counted(texts.falseAlarms),
      0,
    ),
  ]
}

const counted = ({ hits, of }: { hits: number; of: number }) => (of === 0 ? Number.NaN : hits)
