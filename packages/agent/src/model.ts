import type { CallPart, Message } from './message.js'

/** A tool as a model sees it. */
export interface ToolDeclaration {
  name: string
  description: string
  /** JSON schema of the arguments */
  parameters: Record<string, unknown>
}

/** What a model is asked. */
export interface ModelRequest {
  system: string
  messages: readonly Message[]
  tools: readonly ToolDeclaration[]
  /** JSON schema the whole answer has to follow, where only data is wanted */
  schema?: Record<string, unknown>
}

/** Tokens of one answer, a delta and not a sum. */
export interface TokenUsage {
  inputTokens?: number
  cachedTokens?: number
  /** input that was written to a cache, where that has a price of its own */
  cacheWriteTokens?: number
  outputTokens?: number
}

/** What a model streams; `finish` comes last, or the stream was cut. */
export type ModelEvent =
  | { type: 'text'; text: string; meta?: unknown }
  | { type: 'reasoning'; text: string; meta?: unknown }
  | CallPart
  // the same call once more, with what was not known when it was told
  | (Omit<CallPart, 'type'> & { type: 'call-correction' })
  | ({ type: 'usage' } & TokenUsage)
  | { type: 'finish'; reason: FinishReason }

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refused' | 'other'

/** Anything that answers: the embedded model, or a provider's. */
export interface Model {
  /** `provider/name`, as shown to people and told to the guard */
  readonly name: string
  /** how many tokens of history it can take */
  readonly contextTokens: number
  /** Asks it once; aborting the signal ends the provider's request. Throws a `ModelError`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export type ModelErrorKind =
  | 'configuration' // no key, an unknown provider: nothing was asked
  | 'refused' // the provider says the request is wrong or not allowed
  | 'too-long' // the provider says that the conversation is
  | 'rate-limit'
  | 'overloaded' // 5xx
  | 'network'
  | 'malformed' // an answer that is not the protocol's
  | 'silence' // nothing new came for too long
  | 'endless' // a call that did not come to its end

/** Why a model gave no answer, in words for the person. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelErrorKind
  /** what the person can do about it */
  readonly advice: string
  /** how long the provider wants us to wait */
  readonly retryAfterMs: number | undefined

  constructor(
    kind: ModelErrorKind,
    message: string,
    {
      advice = '',
      retryAfterMs,
      cause,
    }: { advice?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.advice = advice
    this.retryAfterMs = retryAfterMs
  }

  /** Whether asking again may help. */
  get isTemporary(): boolean {
    return !LASTING.includes(this.kind)
  }
}

const LASTING: readonly ModelErrorKind[] = ['configuration', 'refused', 'too-long', 'endless']

/** What a person can do about a conversation that is too long. */
export const LENGTH_ADVICE = 'Start a new chat, or use a model with a longer context.'

/** Whatever a model threw, as an error of a model. */
export const toModelError = (error: unknown): ModelError =>
  error instanceof ModelError
    ? error
    : new ModelError('malformed', error instanceof Error ? error.message : String(error), {
        cause: error,
      })
