import type { AgentEvent, Finding } from 'unloop'
import type { ResultPart } from './message.js'
import type { ModelErrorKind, TokenUsage } from './model.js'

/** Tokens of a prompt or a session; the judge's are counted in and apart. */
export interface UsageSum {
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  judgeTokens: number
  /** what they cost by list prices; not there once a model was used whose price is unknown */
  dollars?: number | undefined
}

/** What tokens were for, where not for an answer. */
export type Purpose = 'judge' | 'summary'

/** Tokens that were used. */
export type UsageEvent = { type: 'usage'; model: string; purpose?: Purpose } & TokenUsage

/**
 * What `sendMessageStream` yields. Those that are events of the guard's vocabulary have its shape, so that
 * one a line is what `unloop check` reads.
 */
export type ClientEvent = { agent?: string } & (
  | { type: 'prompt'; id: string; text: string; model: string }
  | { type: 'turn-start'; turn: number }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool-call'; id: string; name: string; args: unknown }
  /** every `tool-call` has one, before the last event */
  | ResultPart
  | UsageEvent
  | { type: 'turn-end' }
  | { type: 'retry'; reason: string; afterMs: number }
  | { type: 'handoff'; to: string; text: string }
  | { type: 'compaction'; messages: number; kept: number }
  /** part of the guard failed, or the conversation cannot be saved; the run continues without that part */
  | { type: 'fault'; part: string; message: string }
  /** a loop was seen and the run continues */
  | { type: 'loop_warning'; finding: Finding }
  /** a loop was seen and the run is over; the last event */
  | { type: 'loop_detected'; finding: Finding }
  /** the request took as many turns as it may, `limit`; `turns` are those of the whole prompt; the last event */
  | { type: 'turn-limit'; turns: number; limit: number }
  /** the model failed; the last event */
  | { type: 'error'; kind: ModelErrorKind; message: string; advice: string }
  /** the prompt is done, or the person stopped it; the last event */
  | { type: 'finished'; reason: 'done' | 'length' | 'refused' | 'aborted'; usage: UsageSum }
)

export type ClientEventType = ClientEvent['type']

const OURS: readonly string[] = [
  'fault',
  'loop_warning',
  'loop_detected',
  'turn-limit',
  'error',
  'finished',
] satisfies ClientEventType[]

/** Whether an event is one of the guard's vocabulary. */
export const isAgentEvent = (event: ClientEvent): event is ClientEvent & AgentEvent =>
  !OURS.includes(event.type)
