import type { ClientEvent } from './client-event.js'
import { compact, isFull, sizeOf } from './compaction.js'
import type { Conversation } from './conversation.js'
import { LENGTH_ADVICE, toModelError } from './model.js'
import { finish, tellCosts } from './tell.js'

/** What became of the history; `over` if the prompt has ended here. */
export type Shortened = 'shorter' | 'as it was' | 'over'

/** Sums up the older part of a history that nears the limit of the model, or that the model says is `tooLong`. */
export async function* shorten(
  conversation: Conversation,
  retries: number,
  signal: AbortSignal,
  tooLong = false,
): AsyncGenerator<ClientEvent, Shortened, undefined> {
  const { model, watch, history, handOff, measured } = conversation
  const known = sizeOf(history.entries, measured)
  const size = tooLong ? Math.max(known, model.contextTokens) : known
  if (!isFull(size, model)) return 'as it was'
  const onUsage = conversation.toCounter(model, 'summary')
  try {
    const next = await compact(history.entries, size, { model, signal, retries, onUsage })
    yield* tellCosts(conversation)
    const messages = history.length
    if (next.length >= messages) return 'as it was'
    history.replace(next)
    conversation.measured = undefined
    watch.decide({ type: 'compaction', ...handOff.by })
    yield { type: 'compaction', messages, kept: next.length, ...handOff.by }
    return 'shorter'
  } catch (error) {
    yield* tellCosts(conversation)
    if (signal.aborted) {
      yield* finish(conversation, 'aborted')
      return 'over'
    }
    // there is room for one more turn, and then it is tried again
    if (size < model.contextTokens) return 'as it was'
    const { kind, message, advice } = toModelError(error)
    yield {
      type: 'error',
      kind,
      message: `the conversation is too long for ${model.name}, and it could not be summarized: ${message}`,
      advice: [advice, LENGTH_ADVICE].filter((text) => text !== '').join(' '),
    }
    return 'over'
  }
}
