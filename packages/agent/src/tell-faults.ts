import { type Guard, redact } from 'unloop'
import type { ClientEvent } from './client-event.js'

type FaultEvent = Extract<ClientEvent, { type: 'fault' }>

// enough for a line of a terminal
const MAX_MESSAGE = 200

/** A function that gives the guard's faults since the last call; a part that fails again is not told again. */
export function createFaultTeller(guard: Guard): () => FaultEvent[] {
  const told = new Set<string>()
  return () =>
    guard.faults.flatMap(({ part, error }) => {
      if (told.has(part)) return []
      told.add(part)
      return [
        { type: 'fault' as const, part, message: redact(messageOf(error)).slice(0, MAX_MESSAGE) },
      ]
    })
}

/** What was thrown may be anything, even something that cannot be made a text. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'unknown error'
  }
}
