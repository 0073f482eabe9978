import { isProxy } from './intake/is-proxy.js'

/** An internal error: of a detector, which is dropped from then on, or of the guard itself, which continues. */
export interface Fault {
  part: string
  error: unknown
}

/** The faults of a session. */
export interface Faults {
  readonly list: readonly Fault[]
  add(part: string, error: unknown): void
}

// enough to see what is wrong; a part that fails at every event would fill up memory
const MAX_FAULTS = 16

/** Keeps the first faults and reports each once. Without `onFault`, the first one is a line on the console. */
export function createFaults(onFault: ((fault: Fault) => void) | undefined): Faults {
  const list: Fault[] = []
  return {
    list,
    add(part, error) {
      const isKnown = list.some(
        (known) => known.part === part && words(known.error) === words(error),
      )
      if (isKnown || list.length >= MAX_FAULTS) return
      const fault = { part, error }
      list.push(fault)
      try {
        if (onFault) onFault(fault)
        else if (list.length === 1) warn(fault)
      } catch {
        // a listener must not break the run either
      }
    },
  }
}

let hasWarned = false

function warn({ part, error }: Fault): void {
  if (hasWarned) return
  hasWarned = true
  console.error(
    `unloop: ${part} failed (${words(error)}). The run continues. See guard.faults, or pass onFault.`,
  )
}

/** A thrown value in words. Anything can be thrown, so none of its code is run. */
function words(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, 200)
  if (typeof error !== 'object' || error === null || isProxy(error)) return typeof error
  const message = Object.getOwnPropertyDescriptor(error, 'message')?.value
  return typeof message === 'string' ? message.slice(0, 200) : 'no reason given'
}
