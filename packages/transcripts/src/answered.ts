import type { AgentEvent } from 'unloop'
import { createRecent } from './recent.js'

/** Knows the calls of a transcript, and so the results that answer none of them. */
export interface Answered {
  /** Takes the next event; true if it is a result whose call is not in the transcript. */
  isOrphan(event: AgentEvent): boolean
}

// results come soon after their calls; the longest known session has 9,000
const REMEMBERED = 16_384

export function createAnswered(): Answered {
  const calls = createRecent<true>(REMEMBERED)
  let hasNameless = false
  return {
    isOrphan(event) {
      if (event.type === 'tool-call') {
        if (event.id === undefined) hasNameless = true
        else calls.set(event.id, true)
      }
      // a call without an id may have been answered with one
      if (event.type !== 'tool-result' || event.id === undefined || hasNameless) return false
      return calls.get(event.id) === undefined
    },
  }
}
