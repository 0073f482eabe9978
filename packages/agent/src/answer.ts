import type { Finding } from 'unloop'
import type { AssistantMessage, AssistantPart, CallPart } from './message.js'
import type { ModelEvent } from './model.js'

/** The message of one turn while it is streamed. */
export interface Answer {
  readonly calls: readonly CallPart[]
  add(event: Extract<ModelEvent, { type: 'text' | 'reasoning' | 'tool-call' }>): void
  /** The message; of a chant only its beginning and one repeat are kept. */
  toMessage(chant?: Finding): AssistantMessage
}

/** An empty answer. */
export function createAnswer(): Answer {
  const parts: AssistantPart[] = []
  const calls: CallPart[] = []
  return {
    calls,
    add(event) {
      if (event.type === 'tool-call') {
        calls.push(event)
        parts.push(event)
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

/** The last text without what repeats: it would only teach the model to go on. */
function shortened(parts: readonly AssistantPart[], { wasted, sample }: Finding): AssistantPart[] {
  // what a provider wants back is for the whole message, so it goes
  const plain = parts.map(({ meta: _, ...part }) => part as AssistantPart)
  const last = plain.at(-1)
  if (!last || last.type === 'tool-call') return plain
  const kept = last.text.slice(0, Math.max(0, last.text.length - wasted.characters))
  return [...plain.slice(0, -1), { type: last.type, text: `${kept}${sample} […]` }]
}
