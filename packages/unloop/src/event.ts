/** What an agent did, in the one vocabulary all parts share; one event a line is the interchange format. */
export type AgentEvent = {
  /** milliseconds since the epoch, where known */
  at?: number
  /** the sub-agent this belongs to; state is kept per agent */
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
      inputTokens?: number
      cachedTokens?: number
      outputTokens?: number
    }
  | { type: 'handoff'; to: string; text?: string }
  | { type: 'compaction' }
)

export type AgentEventType = AgentEvent['type']
