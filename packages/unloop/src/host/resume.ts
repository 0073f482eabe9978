import type { AgentEvent } from '../event.js'
import { withoutPlaceholders } from './cleared.js'
import { pastOf } from './lineage.js'
import { catchUp, type Run } from './run.js'

/** Shows a history to a guard that knows nothing of it: its past, and the model's last answer, which nobody has decided about yet. */
export function resume(run: Run, history: readonly AgentEvent[]): void {
  const [past, lastAnswer] = splitPast(history)
  run.replay(past)
  catchUp(run, lastAnswer)
}

/** What is to be replayed of a history, and the last answer of the model. */
export function splitPast(
  history: readonly AgentEvent[],
): [past: AgentEvent[], last: AgentEvent[]] {
  const past = pastOf(withoutPlaceholders(history))
  const last = Math.max(
    0,
    past.findLastIndex(({ type }) => type === 'turn-start'),
  )
  return [past.slice(0, last), past.slice(last)]
}
