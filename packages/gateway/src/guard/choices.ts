import type { Choice, Session } from '../store/session.js'
import type { Lane } from './lane.js'

/** What a person's choices add to a request. */
export interface Chosen {
  /** words for the model */
  hints: string[]
  /** the request is answered by us */
  isStopped: boolean
}

/** Puts the choices into effect that a lane does not know yet. */
export function applyChoices(lane: Lane, session: Session | undefined, isNew: boolean): Chosen {
  const chosen: Chosen = { hints: [], isStopped: false }
  if (!session || session.chosen <= lane.chosen) return chosen
  const pending = session.choices.slice(-(session.chosen - lane.chosen))
  lane.chosen = session.chosen
  for (const choice of pending) {
    // a lane that is only now known was not there when somebody decided about what had happened
    if (isNew && isOfMoment(choice) && choice.at <= session.promptAt) continue
    apply(lane, choice, chosen)
  }
  return chosen
}

const isOfMoment = ({ choice }: Choice) =>
  choice === 'continue-once' || choice === 'hint' || choice === 'stop'

function apply(lane: Lane, { choice, tool, times, text = '' }: Choice, chosen: Chosen): void {
  const { guard } = lane
  switch (choice) {
    case 'continue-once':
      guard.continueOnce()
      break
    case 'allow':
      if (tool !== undefined) guard.allow(tool, times ?? 'always')
      break
    case 'hint':
      chosen.hints.push(guard.hint(text))
      break
    case 'stop':
      chosen.isStopped = true
      return
    case 'disable':
      guard.disable()
  }
  chosen.isStopped = false
  lane.isRefused = false
  // what somebody has decided about is not reported again
  lane.since = guard.events
}
