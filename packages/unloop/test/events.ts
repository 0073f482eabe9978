import type { AgentEvent } from '../src/event.js'

/** Short names for events, so that a test reads as the run it describes. */

export const prompt = (text?: string, more: { id?: string; model?: string } = {}): AgentEvent => ({
  type: 'prompt',
  ...(text === undefined ? {} : { text }),
  ...more,
})

export const turn = (): AgentEvent => ({ type: 'turn-start' })

export const call = (name: string, args?: unknown, id?: string): AgentEvent => ({
  type: 'tool-call',
  name,
  args,
  ...(id === undefined ? {} : { id }),
})

export const result = (output?: unknown, id?: string): AgentEvent => ({
  type: 'tool-result',
  output,
  ...(id === undefined ? {} : { id }),
})

export const failure = (output: unknown, id?: string): AgentEvent => ({
  type: 'tool-result',
  output,
  isError: true,
  ...(id === undefined ? {} : { id }),
})

/** A call and its answer. */
export const step = (name: string, args: unknown, output?: unknown): AgentEvent[] => [
  call(name, args),
  result(output),
]

/** A call that fails, and the host says so. */
export const failed = (name: string, args: unknown, output: unknown): AgentEvent[] => [
  call(name, args),
  failure(output),
]

export const text = (value: string): AgentEvent => ({ type: 'text', text: value })

export const reasoning = (value: string): AgentEvent => ({ type: 'reasoning', text: value })

export const handoff = (agent: string, to: string, value?: string): AgentEvent => ({
  type: 'handoff',
  agent,
  to,
  ...(value === undefined ? {} : { text: value }),
})

export const retry = (): AgentEvent => ({ type: 'retry' })

/** The same events several times over; the number of the lap is given to a function. */
export const times = (
  count: number,
  events: AgentEvent[] | ((lap: number) => AgentEvent[]),
): AgentEvent[] =>
  Array.from({ length: count }, (_, lap) =>
    typeof events === 'function' ? events(lap) : events,
  ).flat()

/** The same events with their times: every answer takes so many seconds. */
export function lasting(seconds: number, events: AgentEvent[]): AgentEvent[] {
  let at = 1_700_000_000_000
  return events.map((event) => {
    if (event.type === 'tool-result') at += 1000 * seconds
    return { ...event, at }
  })
}

/** A text as a stream of deltas of this length. */
export const deltas = (value: string, length: number): AgentEvent[] =>
  Array.from({ length: Math.ceil(value.length / length) }, (_, i) =>
    text(value.slice(i * length, (i + 1) * length)),
  )
