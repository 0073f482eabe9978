import type { Finding } from 'unloop'
import type { Verdict } from 'unloop/host'
import type { ClientEvent } from './client-event.js'
import type { Conversation } from './conversation.js'

type FinishedReason = Extract<ClientEvent, { type: 'finished' }>['reason']

/** A loop was seen, and the run continues: the model will be told. */
export function* warn({ finding }: Verdict): Generator<ClientEvent> {
  if (finding) yield { type: 'loop_warning', finding }
}

/** A loop ends the prompt; the model will read why. `length` is how much of the history a resumed prompt has. */
export function* stop(
  conversation: Conversation,
  finding: Finding,
  length: number,
): Generator<ClientEvent, false> {
  conversation.stopped = { finding, length }
  conversation.watch.takeAdvice()
  conversation.note(`Your last turn was stopped: ${finding.detail}. ${finding.advice}`)
  conversation.save()
  yield { type: 'loop_detected', finding }
  return false
}

/** Tells what others than the model that answers have cost. */
export function* tellCosts({ watch, costs }: Conversation): Generator<ClientEvent> {
  for (const cost of costs.splice(0)) {
    watch.decide(cost)
    yield cost
  }
}

/** The prompt is over without a loop. */
export function* finish(
  { usage }: Conversation,
  reason: FinishedReason,
): Generator<ClientEvent, false> {
  yield { type: 'finished', reason, usage: { ...usage.prompt } }
  return false
}
