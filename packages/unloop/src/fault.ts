import { isProxy } from './intake/is-proxy.js'

/** Something of ours that failed: a detector, which is left out from then on, or the guard itself, which goes on. */
export interface Fault {
  part: string
  error: unknown
}

/** The faults of a session, and whoever wants to know. */
export interface Faults {
  readonly list: readonly Fault[]
  add(part: string, error: unknown): void
}

// enough to see what is wrong; a part that fails with every event would fill the memory
const MAX_FAULTS = 16

/** Keeps the first faults; each is told once. Where nobody listens, the first of them is a line on the console. */
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
        // who listens may not break what is guarded either
      }
    },
  }
}

let hasWarned = false

function warn({ part, error }: Fault): void {
  if (hasWarned) return
  hasWarned = true
  console.error(
    `unloop: ${part} failed (${words(error)}). The run continues. See guard.faults for details, or pass onFault to createGuard to be notified.`,
  )
}

/** What was thrown, in words; anything can be thrown, and nothing of it is run. */
function words(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, 200)
  if (typeof error !== 'object' || error === null || isProxy(error)) return typeof error
  const message = Object.getOwnPropertyDescriptor(error, 'message')?.value
  return typeof message === 'string' ? message.slice(0, 200) : 'no reason given'
}
