import type { CallOutcome } from '@unloop/agent'
import { never } from '../never.js'

/** What became of a call, where its output does not say it; nothing if it ran to its end. */
export function describeCall(call: {
  outcome?: CallOutcome
  isWithheld?: boolean
}): string | undefined {
  if (call.isWithheld) return 'it ran; its answer was withheld from the model'
  switch (call.outcome) {
    case undefined:
    case 'done':
    case 'failed':
      return
    case 'stopped':
      return 'stopped while it ran; it may have had effects'
    case 'refused':
      return 'refused by the guard; it did not run'
    case 'declined':
      return 'you said no; it did not run'
    case 'skipped':
      return 'never begun'
    default:
      return never(call.outcome)
  }
}
