import type { Entry, ResultPart } from '@unloop/agent'
import { printable } from '../printable.js'
import { withoutFiles } from './attach/with-files.js'
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
      if (message.from === undefined) return toPerson(message.content)
      const text = printable(message.content)
      return [{ type: 'notice', text: `${OTHERS[message.from]}: ${text}` }]
    }
    return message.content.map((part): Item => {
      if (part.type === 'text') return { type: 'answer', text: printable(part.text) }
      if (part.type === 'reasoning') return { type: 'thought', text: printable(part.text) }
      const result = results.get(part.id)
      return {
        type: 'call',
        name: printable(part.name),
        args: printable(JSON.stringify(part.args) ?? ''),
        ...(result && {
          output: printable(result.output),
          isError: result.isError,
          outcome: result.outcome,
          ...(result.isWithheld && { isWithheld: true }),
        }),
      }
    })
  })
}

/** A request as it was typed, and what came with it. */
function toPerson(content: string): Item[] {
  const { text, attached } = withoutFiles(content)
  return [
    { type: 'person', text: printable(text) },
    ...attached.map((name): Item => ({ type: 'notice', text: printable(`attached ${name}`) })),
  ]
}

const OTHERS = { guard: 'the model was told', summary: 'the history was shortened' }

/** What the person said in it, for the arrow keys. */
export const promptsOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ message }) =>
    message.role === 'user' && message.from === undefined
      ? [withoutFiles(message.content).text]
      : [],
  )

/** Whether the chat ended before the last request was answered, as when it was killed. */
export function isUnanswered(entries: readonly Entry[]): boolean {
  const last = entries.at(-1)?.message
  return last?.role === 'tool' || (last?.role === 'user' && last.from === undefined)
}
