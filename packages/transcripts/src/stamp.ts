import type { AgentEvent } from 'unloop'
import type { Sink } from './format.js'
import type { Run } from './transcript.js'

/** Takes events of one record. */
export type Emit = (event: AgentEvent) => void

/** An `emit` that gives every event the time and the agent of its record. */
export function stamp(sink: Sink, run: Run, at: number | undefined, agent?: string): Emit {
  return (event) => {
    if (at !== undefined) event.at ??= at
    if (agent !== undefined) event.agent = agent
    // some rules are meant for some models
    else if (event.type === 'prompt' && run.model) event.model ??= run.model
    sink.emit(run, event)
  }
}
