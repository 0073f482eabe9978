import type { AgentEvent, Finding, Guard } from 'unloop'
import type { GuardMode } from './guard-mode.js'

/** The guard as the agent uses it. */
export interface Watch {
  mode: GuardMode
  /** whether anything is looked for: neither the mode nor the guard is off */
  readonly isLooking: boolean
  /** Shows the guard an event, before anybody else sees it; gives what has to be acted on. */
  see(event: AgentEvent): Finding | undefined
  /** Gives the guard what the judge found; gives what has to be acted on. */
  hear(finding: Finding): Finding | undefined
  /** Words for the model that wait for its next turn. */
  takeAdvice(): string[]
  /** Something for the model to read before its next turn. */
  advise(text: string): void
}

/** A watch over the guard. */
export function createWatch(guard: Guard, mode: GuardMode): Watch {
  let waiting: string[] = []
  return {
    mode,
    get isLooking() {
      return this.mode !== 'off' && !guard.disabled
    },
    see(event) {
      if (this.mode === 'off') return
      const finding = guard.observe(timed(event))
      return this.mode === 'enforce' ? finding : undefined
    },
    hear(found) {
      if (this.mode === 'off') return
      const finding = guard.report(found)
      return this.mode === 'enforce' ? finding : undefined
    },
    takeAdvice() {
      const taken = waiting
      waiting = []
      return taken
    },
    advise(text) {
      if (!waiting.includes(text)) waiting.push(text)
    },
  }
}

/** Calls and answers with the time: how long a call took tells a wait from a loop. */
const timed = (event: AgentEvent): AgentEvent =>
  event.type === 'tool-call' || event.type === 'tool-result' ? { ...event, at: Date.now() } : event

/** Whether a finding ends the run. */
export const isFinal = ({ action }: Finding): boolean => action === 'ask' || action === 'stop'
