import { emitUserParts, responseIn } from '../gemini-parts.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { createRecent } from '../recent.js'
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
  characters: number
  thoughts: number
  called: Set<string>
  answered: Set<string>
  spent: Spent | undefined
}

// a message is written again while it is the last, and in a history that is replaced
const REMEMBERED = 4096

// stands in front of the number of a message without an id
const NAMELESS = '#'
const isNamed = (id: string) => !id.startsWith(NAMELESS)

export function createMessages(): Messages {
  const told = createRecent<Told>(REMEMBERED)
  let count = 0

  function remember(id: string): { before: Told; isNew: boolean } {
    const known = told.get(id)
    const before = known ?? {
      characters: 0,
      thoughts: 0,
      called: new Set(),
      answered: new Set(),
      spent: undefined,
    }
    if (!known) {
      told.set(id, before)
      count++
    }
    return { before, isNew: !known }
  }

  return {
    take(message, emit) {
      const { before, isNew } = remember(textOf(message.id) ?? `${NAMELESS}${count}`)
      if (message.type === 'user') {
        if (isNew) emitUser(message, emit)
      } else if (message.type === 'gemini') {
        emitAnswer(message, before, isNew, emit)
      }
    },
    pass(message) {
      const id = textOf(message.id)
      if (id !== undefined) remember(id)
    },
    has: (id) => id !== undefined && told.get(id) !== undefined,
    rewindTo(id) {
      const ids = told.keys()
      for (const gone of ids.slice(Math.max(0, ids.indexOf(id)))) told.delete(gone)
    },
    endWith(ids) {
      const kept = new Set(ids)
      const all = told.keys()
      const gone = all.slice(all.findLastIndex((id) => kept.has(id)) + 1).filter(isNamed)
      for (const id of gone) told.delete(id)
      return gone.length > 0
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

function emitAnswer(message: Json, before: Told, isNew: boolean, emit: Emit): void {
  if (isNew) emit({ type: 'turn-start' })
  const thoughts = listOf(message.thoughts)
  for (const thought of thoughts.slice(before.thoughts)) {
    const { subject, description } = objectOf(thought)
    const text = [textOf(subject), textOf(description)].filter(Boolean).join('\n')
    if (text !== '') emit({ type: 'reasoning', text })
  }
  before.thoughts = Math.max(before.thoughts, thoughts.length)
  const text = wordsOf(message.content)
  if (text.length > before.characters) emit({ type: 'text', text: text.slice(before.characters) })
  before.characters = Math.max(before.characters, text.length)
  const calls = listOf(message.toolCalls).filter(isObject)
  for (const [i, call] of calls.entries()) emitCall(call, i, before, emit)
  for (const [i, call] of calls.entries()) emitResult(call, i, before, emit)
  if (!isObject(message.tokens)) return
  const now = tokensOf(message.tokens)
  emitSpent(emit, now, before.spent, textOf(message.model))
  before.spent = now
}

/** A call without an id is known by its place in the message. */
const keyOf = (call: Json, place: number) => textOf(call.id) ?? `${NAMELESS}${place}`

function emitCall(call: Json, place: number, { called }: Told, emit: Emit): void {
  const name = textOf(call.name)
  const id = textOf(call.id)
  const key = keyOf(call, place)
  if (!name || called.has(key)) return
  called.add(key)
  emit({ type: 'tool-call', name, args: call.args, ...(id && { id }) })
}

function emitResult(call: Json, place: number, { answered }: Told, emit: Emit): void {
  const id = textOf(call.id)
  const key = keyOf(call, place)
  const isOver = call.status === 'success' || call.status === 'error' || call.status === 'cancelled'
  const hasResult = call.result !== undefined && call.result !== null
  if ((!isOver && !hasResult) || answered.has(key)) return
  answered.add(key)
  const read = hasResult ? responseIn(call.result) : { output: call.resultDisplay, isError: false }
  emit({
    type: 'tool-result',
    output: read.output,
    ...(id && { id }),
    ...((read.isError || call.status === 'error') && { isError: true }),
  })
}

function wordsOf(content: unknown): string {
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
