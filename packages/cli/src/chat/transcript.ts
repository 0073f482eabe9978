import type { Entry, ResultPart } from '@unloop/agent'
import { printable } from '../printable.js'
import type { Item } from './state.js'

/** The items of a saved conversation. */
export function toItems(entries: readonly Entry[]): Item[] {
  const results = new Map<string, ResultPart>()
  for (const { message } of entries) {
    if (message.role === 'tool') for (const part of message.content) results.set(part.id, part)
  }
  return entries.flatMap(({ message }): Item[] => {
    if (message.role === 'tool') return []
    if (message.role === 'user') {
      const text = printable(message.content)
      if (message.from === undefined) return [{ type: 'person', text }]
      return [{ type: 'notice', text: `${OTHERS[message.from]}: ${text}` }]
    }
    return message.content.map((part): Item => {
      if (part.type === 'text') return { type: 'answer', text: printable(part.text), isFirst: true }
      if (part.type === 'reasoning') return { type: 'thought', text: printable(part.text) }
      const result = results.get(part.id)
      return {
        type: 'call',
        name: part.name,
        args: printable(JSON.stringify(part.args) ?? ''),
        ...(result && { output: printable(result.output), isError: result.isError }),
      }
    })
  })
}

const OTHERS = { guard: 'the model was told', summary: 'the history was shortened' }

/** What the person said in it, for the arrow keys. */
export const promptsOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ message }) =>
    message.role === 'user' && message.from === undefined ? [message.content] : [],
  )
