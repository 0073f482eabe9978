/** What an agent did, in the one vocabulary all parts share. As JSON, one per line, events are the interchange format. */
export type AgentEvent = {
  /** milliseconds since the epoch, if known */
  at?: number
  /** the sub-agent this belongs to; each agent has its own state */
  agent?: string
} & (
  | { type: 'prompt'; id?: string; text?: string; model?: string }
  | { type: 'turn-start' }
  | { type: 'turn-end' }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool-call'; id?: string; name: string; args?: unknown }
  | { type: 'tool-result'; id?: string; name?: string; output?: unknown; isError?: boolean }
  | { type: 'retry' }
  | {
      type: 'usage'
      model?: string
      /** all that was read, from a cache or not */
      inputTokens?: number
      /** the part of it that came from a cache */
      cachedTokens?: number
      /** the part of it that was written to a cache, and the part of that which is kept for an hour */
      cacheWriteTokens?: number
      cacheWriteHourTokens?: number
      outputTokens?: number
      /** the input of the whole answer, where this event tells only a part of it */
      contextTokens?: number
      /** dollars, as the program recorded them */
      cost?: number
    }
  | { type: 'handoff'; to: string; text?: string }
  | { type: 'compaction' }
)

export type AgentEventType = AgentEvent['type']
