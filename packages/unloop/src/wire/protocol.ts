import { createMessages } from '../adapters/anthropic/messages.js'
import { toContents } from '../adapters/google/contents.js'
import { chat } from '../adapters/openai/chat.js'
import { responses } from '../adapters/openai/responses.js'
import type { Dialect } from '../adapters/shared/exchange.js'

export type ProtocolName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'

/** What a request is written in. */
export interface Protocol {
  name: ProtocolName
  dialect: Dialect
  /** the model, if the address names it */
  model?: string
  /** Makes a request that its provider takes, where an answer that was cut has left something in it that it would refuse. */
  heal?(text: string): string
}

/**
 * The protocol of a request to a model, by the path of its address; undefined for all other requests.
 *
 * @example findProtocol('/v1/chat/completions')?.dialect.history(body)
 */
export function findProtocol(path: string): Protocol | undefined {
  if (/\/chat\/completions\/?$/.test(path)) return { name: 'openai-chat', dialect: chat }
  if (/\/responses\/?$/.test(path)) return { name: 'openai-responses', dialect: responses }
  if (/\/v1\/messages\/?$/.test(path)) {
    const { heal, ...dialect } = createMessages()
    return { name: 'anthropic', dialect, heal }
  }
  const [, model, stream] = /\/([^/:]{1,200}):(streamG|g)enerateContent$/.exec(path) ?? []
  if (model === undefined) return
  return { name: 'gemini', dialect: toContents(stream === 'streamG'), model }
}
