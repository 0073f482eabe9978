import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { ModelError } from '../model.js'

/** Tells whether an answer gets on. */
export interface Progress {
  /** how long the next part may take */
  readonly leftMs: number
  /** Takes the next part and how long it took; throws a `ModelError` if the answer does not get on, or would never end. */
  see(part: LanguageModelV3StreamPart, waitedMs: number): void
  /** Why the wait is over. */
  toError(): ModelError
}

// the longest answers that providers allow have 128,000 tokens, some 500,000 characters
const MAX_ARGUMENTS = 1_000_000
// a call is told when it is complete; at 60 s of silence this is a quarter of an hour, in which a slow model writes a file of 100 KB
const SILENCES_PER_CALL = 15

/**
 * An answer gets on with every character of text, thought or arguments. What else a server sends to keep the connection open
 * does not count: one that does nothing but that would be waited for without end.
 */
export function createProgress(name: string, silenceMs: number): Progress {
  const callMs = SILENCES_PER_CALL * silenceMs
  let silentMs = 0
  let writingMs = 0
  let written = 0
  const silenceLeft = () => silenceMs - silentMs
  const callLeft = () => callMs - writingMs

  function toError(): ModelError {
    if (callLeft() < silenceLeft()) return endless(name, `in ${callMs / 1000} s`)
    return new ModelError('silence', `nothing new from ${name} for ${silenceMs / 1000} s`, {
      advice: 'Try again, or use another model.',
    })
  }

  return {
    get leftMs() {
      return Math.max(0, Math.min(silenceLeft(), callLeft()))
    },
    see(part, waitedMs) {
      silentMs += waitedMs
      writingMs += waitedMs
      const length = 'delta' in part ? part.delta.length : 0
      if (length > 0 || part.type === 'tool-call') silentMs = 0
      if (length > 0 && part.type === 'tool-input-delta') written += length
      else if (silentMs === 0) writingMs = 0
      if (written > MAX_ARGUMENTS) throw endless(name, `in ${MAX_ARGUMENTS} characters`)
      if (Math.min(silenceLeft(), callLeft()) <= 0) throw toError()
    },
    toError,
  }
}

const endless = (name: string, extent: string) =>
  new ModelError('endless', `${name} did not finish a call ${extent}`, {
    advice: 'Ask for less at a time, or use another model.',
  })
