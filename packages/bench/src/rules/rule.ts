import type { AgentEvent } from 'unloop'

/** A rule of another program, rewritten from its description: takes events and says what it saw. */
export interface Rule {
  name: string
  start(): (event: AgentEvent) => Said | undefined
}

/** What a rule saw, and whether its program would end the run or ask the person because of it. */
export interface Said {
  what: string
  stops: boolean
}

/** JSON with sorted keys, so that the order in which a model wrote them does not matter. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const parts = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`)
    return `{${parts.join(',')}}`
  }
  return JSON.stringify(value) ?? 'undefined'
}

/** A call together with its answer, in the order of the answers. */
export interface AnsweredCall {
  name: string
  args: string
  output: string
  failed: boolean
  /** what the model said or thought before the call, in the same turn */
  thought: string
}

/** Pairs calls with their answers by id, else by order; returns the answered call when an answer comes. */
export function createPairing() {
  let waiting: { id: string | undefined; name: string; args: string; thought: string }[] = []
  let thought = ''
  return {
    observe(event: AgentEvent): AnsweredCall | undefined {
      if (event.type === 'prompt') waiting = []
      if (event.type === 'turn-start' || event.type === 'prompt') thought = ''
      if (event.type === 'text' || event.type === 'reasoning') thought += event.text
      if (event.type === 'tool-call') {
        waiting.push({ id: event.id, name: event.name, args: canonical(event.args), thought })
      }
      if (event.type !== 'tool-result') return undefined
      const index = waiting.findIndex((call) => event.id === undefined || call.id === event.id)
      const call = waiting[Math.max(0, index)]
      if (!call) return undefined
      waiting.splice(Math.max(0, index), 1)
      return {
        name: call.name,
        args: call.args,
        output: canonical(event.output),
        failed: event.isError === true,
        thought: call.thought,
      }
    },
  }
}
