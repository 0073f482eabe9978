import type { ClientEvent } from './client-event.js'
import { compact, isFull, sizeOf } from './compaction.js'
import type { Conversation } from './conversation.js'
import type { Entry } from './history.js'
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
  const { model, history, measured } = conversation
  const known = sizeOf(history.entries, measured)
  const size = tooLong ? Math.max(known, model.contextTokens) : known
  if (!isFull(size, model)) return 'as it was'
  try {
    const next = await summarize(conversation, history.entries, size, { retries, signal })
    yield* tellCosts(conversation)
    if (next.length >= history.length) return 'as it was'
    yield* replace(conversation, next)
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

/** Sums up the older part of the history because the person wants it, however long it is. */
export async function* compactNow(
  conversation: Conversation,
  retries: number,
  signal: AbortSignal,
): AsyncGenerator<ClientEvent, void, undefined> {
  const { history, measured, stopped } = conversation
  // a turn that waits for a decision stays as it is
  const settled = history.entries.slice(0, stopped?.length)
  const waiting = history.entries.slice(settled.length)
  const size = sizeOf(settled, measured)
  try {
    const next = await summarize(conversation, settled, size, { retries, signal }, size)
    yield* tellCosts(conversation)
    if (next.length >= settled.length) {
      yield { type: 'compaction', messages: history.length, kept: history.length }
      return
    }
    if (stopped) conversation.stopped = { ...stopped, length: next.length }
    yield* replace(conversation, [...next, ...waiting])
  } catch (error) {
    yield* tellCosts(conversation)
    if (signal.aborted) {
      yield* finish(conversation, 'aborted')
      return
    }
    const { kind, message, advice } = toModelError(error)
    yield { type: 'error', kind, message: `no summary could be made: ${message}`, advice }
  }
}

const summarize = (
  conversation: Conversation,
  entries: readonly Entry[],
  size: number,
  asking: { retries: number; signal: AbortSignal },
  room = Number.POSITIVE_INFINITY,
): Promise<Entry[]> => {
  const { model } = conversation
  const onUsage = conversation.toCounter(model, 'summary')
  const most = Math.min(room, model.contextTokens)
  return compact(entries, size, { model, onUsage, ...asking }, most)
}

function* replace(
  conversation: Conversation,
  next: readonly Entry[],
): Generator<ClientEvent, void, undefined> {
  const { watch, history, handOff } = conversation
  const messages = history.length
  history.replace(next)
  conversation.measured = undefined
  watch.decide({ type: 'compaction', ...handOff.by })
  yield { type: 'compaction', messages, kept: next.length, ...handOff.by }
}
