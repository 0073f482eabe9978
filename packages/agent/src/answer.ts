import type { Finding } from 'unloop'
import type { AssistantMessage, AssistantPart, CallPart } from './message.js'
import type { ModelEvent } from './model.js'
import { lengthWithOneRepeat } from './one-repeat.js'

/** The message of one turn while it is streamed. */
export interface Answer {
  readonly calls: readonly CallPart[]
  add(event: Extract<ModelEvent, { type: 'text' | 'reasoning' | 'tool-call' }>): void
  /** Replaces what is known of a call. */
  correct(event: Extract<ModelEvent, { type: 'call-correction' }>): void
  /** The message; of a chant only its beginning and one repeat are kept. */
  toMessage(chant?: Finding): AssistantMessage
}

/** An empty answer. */
export function createAnswer(): Answer {
  const parts: AssistantPart[] = []
  const calls: CallPart[] = []
  return {
    calls,
    correct({ id, name, args, invalid, meta }) {
      const call = calls.find((one) => one.id === id)
      if (!call) return
      delete call.invalid
      Object.assign(call, { name, args, ...(invalid && { invalid }), ...(meta ? { meta } : {}) })
    },
    add(event) {
      if (event.type === 'tool-call') {
        const call = { ...event }
        calls.push(call)
        parts.push(call)
        return
      }
      const last = parts.at(-1)
      // a part that has what the provider wants back is complete
      if (last?.type !== event.type || last.meta !== undefined) {
        parts.push({ ...event })
        return
      }
      last.text += event.text
      if (event.meta !== undefined) last.meta = event.meta
    },
    toMessage: (chant) => ({
      role: 'assistant',
      content: (chant ? shortened(parts, chant) : parts).filter(
        (part) => part.type === 'tool-call' || part.text !== '' || part.meta !== undefined,
      ),
    }),
  }
}

/** The parts without what repeats: it would only teach the model to go on. */
function shortened(parts: readonly AssistantPart[], chant: Finding): readonly AssistantPart[] {
  const last = parts.at(-1)
  if (!last || last.type === 'tool-call') return parts
  // a chant continues from part to part, but not past a call
  const from = parts.findLastIndex(({ type }) => type === 'tool-call') + 1
  const chanted = parts.slice(from).filter((part) => part.type === last.type) as (typeof last)[]
  let left = lengthWithOneRepeat(chanted.map(({ text }) => text).join(''), chant)
  const kept: AssistantPart[] = []
  for (const [index, { meta: _, ...part }] of parts.entries()) {
    // what a provider wants back is for the whole message, so it goes
    if (index < from || part.type !== last.type) kept.push(part as AssistantPart)
    else if (part.text.length < left) {
      kept.push(part)
      left -= part.text.length
    } else return [...kept, { ...part, text: `${part.text.slice(0, left).trimEnd()} […]` }]
  }
  return kept
}
