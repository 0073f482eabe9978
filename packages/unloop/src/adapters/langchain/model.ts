import type { AgentEvent } from '../../event.js'
import type { Any } from '../shared/any.js'
import { textOf } from '../shared/words.js'

type Words = Extract<AgentEvent, { type: 'text' | 'reasoning' }>

/** What a model writes, while it does. */
export interface Stream {
  /** somebody waits for the next piece of it */
  isWaiting: boolean
  /** Takes words as they come; true if nothing more is to come. */
  hear(toWords: () => Words[]): boolean
  end(): void
}

export type Begin = () => Stream

/**
 * The same chat model, whose streams end as if the model had stopped where they are told so. Whatever it makes of itself is
 * watched, too.
 */
export function watchModel(model: Any, begin: Begin): Any {
  if (begins.get(model) === begin) return model
  const again = (made: Any) => watchModel(made, begin)
  const members: PropertyDescriptorMap = {}
  // a model with bound options keeps the real one inside
  if (model.bound) members.bound = { value: again(model.bound) }
  for (const method of ['bindTools', 'withConfig']) {
    if (!model[method]) continue
    members[method] = { value: (...args: unknown[]) => again(model[method].apply(watched, args)) }
  }
  // one that is known by name is made when it is needed
  if (model._getModelInstance) {
    members._getModelInstance = {
      value: async (...args: unknown[]) => again(await model._getModelInstance(...args)),
    }
  }
  if (isStreaming(model, '_streamResponseChunks')) {
    members._streamResponseChunks = {
      value: (...args: unknown[]) => follow(model._streamResponseChunks(...args), begin, cutChunks),
    }
  }
  // without one of its own, a model makes events of the chunks
  if (isStreaming(model, '_streamChatModelEvents')) {
    members._streamChatModelEvents = {
      value: (...args: unknown[]) =>
        follow(model._streamChatModelEvents(...args), begin, cutEvents),
    }
  }
  const watched = Object.create(model, members)
  begins.set(watched, begin)
  originals.set(watched, model)
  return watched
}

const begins = new WeakMap<object, Begin>()
const originals = new WeakMap<object, Any>()

/** The model without what watches it there; nothing if nothing does. */
export function unwatched(model: Any, isThere: (begin: Begin) => boolean): Any {
  const original = originals.get(Object(model))
  const begin = begins.get(Object(model))
  if (!original || !begin) return
  if (isThere(begin)) return original
  const inner = unwatched(original, isThere)
  return inner && watchModel(inner, begin)
}

/** Whether a class of the model has its own such method: the first class has one that only throws. */
function isStreaming(model: Any, method: string): boolean {
  let owners = 0
  for (let owner = model; owner; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, method)) owners++
  }
  return owners > 1
}

type Pieces = AsyncIterable<Any>

/** Looks at a piece; gives the last pieces if the stream has to end with it. */
type Cut = (piece: Any) => Any[] | undefined

/** A stream as it comes, cut where it has to end. */
async function* follow(
  source: Pieces,
  begin: Begin,
  toCut: (hear: Stream['hear']) => Cut,
): AsyncGenerator<Any> {
  const stream = begin()
  const cut = toCut(stream.hear)
  try {
    for await (const piece of source) {
      stream.isWaiting = false
      const last = cut(piece)
      if (last) return yield* last
      yield piece
      stream.isWaiting = true
    }
  } finally {
    stream.end()
  }
}

function cutChunks(hear: Stream['hear']): Cut {
  let isFirst = true
  return (chunk) => {
    const isEnd = hear(() => toWords(chunk.message))
    // a message without any chunk is an error to LangChain
    const last = isFirst ? [chunk] : []
    isFirst = false
    return isEnd ? last : undefined
  }
}

function cutEvents(hear: Stream['hear']): Cut {
  const open = new Map<number, Any>()
  return (event) => {
    const { index, content, delta } = event
    if (event.event === 'content-block-start') open.set(index, { ...content })
    if (event.event === 'content-block-finish') open.delete(index)
    for (const type of ['text', 'reasoning'] as const) {
      if (delta?.type !== `${type}-delta`) continue
      if (hear(() => [{ type, text: delta[type] }])) {
        const ends = [...open].map(([index, content]) => ({
          event: 'content-block-finish',
          index,
          content,
        }))
        return [...ends, { event: 'message-finish', reason: 'stop' }]
      }
      const block = open.get(index)
      if (block) block[type] = (block[type] ?? '') + delta[type]
    }
  }
}

/** What a message, or a chunk of one, says. */
export function toWords({ content, additional_kwargs }: Any): Words[] {
  const blocks: Any[] = Array.isArray(content) ? content : []
  const thoughts = blocks.map(({ thinking, reasoning }) => thinking ?? reasoning ?? '').join('')
  const reasoning = `${thoughts || (additional_kwargs?.reasoning_content ?? '')}`
  const words: Words[] = [
    { type: 'reasoning', text: reasoning },
    { type: 'text', text: textOf(content) },
  ]
  return words.filter(({ text }) => text)
}
