import { brief } from '../brief.js'
import { emitUserParts, responseIn } from '../gemini-parts.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { createRecent, type Recent } from '../recent.js'
import { emitSpent, type Spent, spent } from '../spent.js'
import type { Emit } from '../stamp.js'

/** The messages of a session, each of which may be written several times as it grows. */
export interface Messages {
  /** Tells what is new in a message since it was written last. */
  take(message: Json, emit: Emit): void
  /** Remembers a message without telling it. */
  pass(message: Json): void
  has(id: string | undefined): boolean
  /** Forgets this message and all that came after it; all of them if it is not known. */
  rewindTo(id: string): void
  /** Forgets what came after the last of these; true if there was anything. */
  endWith(ids: readonly unknown[]): boolean
  readonly isEmpty: boolean
}

/** What was told of a message so far. */
interface Told {
  number: number
  characters: number
  thoughts: number
  spent: Spent | undefined
}

/** The calls that were told, by their message and their key, and those whose answer was. */
interface Calls {
  called: Recent<true>
  answered: Recent<true>
}

// a message is written again while it is the last, and in a history that is replaced
const REMEMBERED = 4096
const REMEMBERED_CALLS = 16_384

export function createMessages(): Messages {
  const told = new Map<string, Told>()
  /** the ids of messages that are remembered, the oldest first */
  let order: string[] = []
  const calls: Calls = {
    called: createRecent(REMEMBERED_CALLS),
    answered: createRecent(REMEMBERED_CALLS),
  }
  let count = 0

  function remember(id: string | undefined): { before: Told; isNew: boolean } {
    const name = id === undefined ? undefined : brief(id)
    const known = name === undefined ? undefined : told.get(name)
    if (known) return { before: known, isNew: false }
    const before = { number: count++, characters: 0, thoughts: 0, spent: undefined }
    // what has no id is not written again
    if (name !== undefined) {
      told.set(name, before)
      order.push(name)
      if (order.length > 2 * REMEMBERED) forgetOldest()
    }
    return { before, isNew: true }
  }

  function forgetOldest(): void {
    for (const name of order.slice(0, REMEMBERED)) told.delete(name)
    order = order.slice(REMEMBERED)
  }

  /** Forgets from the newest message on until one is to stay; gives the number of those that are gone. */
  function forgetUntil(stays: (name: string) => boolean): number {
    let gone = 0
    for (let last = order.at(-1); last !== undefined && !stays(last); last = order.at(-1)) {
      told.delete(last)
      order.pop()
      gone++
    }
    return gone
  }

  return {
    take(message, emit) {
      const { before, isNew } = remember(textOf(message.id))
      if (message.type === 'user') {
        if (isNew) emitUser(message, emit)
      } else if (message.type === 'gemini') {
        emitAnswer(message, before, isNew, calls, emit)
      }
    },
    pass(message) {
      const id = textOf(message.id)
      if (id !== undefined) remember(id)
    },
    has: (id) => id !== undefined && told.has(brief(id)),
    rewindTo(id) {
      const name = brief(id)
      forgetUntil((last) => last === name)
      forgetUntil((last) => last !== name)
    },
    endWith(ids) {
      const kept = new Set(ids.map((id) => brief(textOf(id) ?? '')))
      return forgetUntil((last) => kept.has(last)) > 0
    },
    get isEmpty() {
      return count === 0
    },
  }
}

/** The answers of tools stand in the message that called them, and here a second time. */
function emitUser({ content }: Json, emit: Emit): void {
  emitUserParts(content, (event) => {
    if (event.type === 'prompt') emit(event)
  })
}

function emitAnswer(
  message: Json,
  before: Told,
  isNew: boolean,
  { called, answered }: Calls,
  emit: Emit,
): void {
  if (isNew) emit({ type: 'turn-start' })
  const thoughts = listOf(message.thoughts)
  for (const thought of thoughts.slice(before.thoughts)) {
    const { subject, description } = objectOf(thought)
    const text = [textOf(subject), textOf(description)].filter(Boolean).join('\n')
    if (text !== '') emit({ type: 'reasoning', text })
  }
  before.thoughts = Math.max(before.thoughts, thoughts.length)
  const text = plainTextOf(message.content)
  if (text.length > before.characters) emit({ type: 'text', text: text.slice(before.characters) })
  before.characters = Math.max(before.characters, text.length)
  const calls = listOf(message.toolCalls).filter(isObject)
  // a call without an id is known by its place in the message
  const keyOf = (call: Json, place: number) => `${before.number} ${textOf(call.id) ?? `#${place}`}`
  for (const [i, call] of calls.entries()) emitCall(call, keyOf(call, i), called, emit)
  for (const [i, call] of calls.entries()) emitResult(call, keyOf(call, i), answered, emit)
  if (!isObject(message.tokens)) return
  const now = tokensOf(message.tokens)
  emitSpent(emit, now, before.spent, textOf(message.model))
  before.spent = now
}

function emitCall(call: Json, key: string, called: Recent<true>, emit: Emit): void {
  const name = textOf(call.name)
  const id = textOf(call.id)
  if (!name || called.get(key)) return
  called.set(key, true)
  emit({ type: 'tool-call', name, args: call.args, ...(id && { id }) })
}

function emitResult(call: Json, key: string, answered: Recent<true>, emit: Emit): void {
  const id = textOf(call.id)
  const isOver = call.status === 'success' || call.status === 'error' || call.status === 'cancelled'
  const hasResult = call.result !== undefined && call.result !== null
  if ((!isOver && !hasResult) || answered.get(key)) return
  answered.set(key, true)
  const read = hasResult ? responseIn(call.result) : { output: call.resultDisplay, isError: false }
  emit({
    type: 'tool-result',
    output: read.output,
    ...(id && { id }),
    ...((read.isError || call.status === 'error') && { isError: true }),
  })
}

function plainTextOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = isObject(content) ? [content] : listOf(content)
  return parts
    .map((part) => (typeof part === 'string' ? part : (textOf(objectOf(part).text) ?? '')))
    .join('')
}

const tokensOf = (tokens: Json): Spent => {
  const plain = spent(tokens.input, tokens.cached, tokens.output)
  return { ...plain, output: plain.output + spent(0, 0, tokens.thoughts).output }
}
