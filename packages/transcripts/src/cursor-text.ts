import type { Sink } from './format.js'
import { type Json, listOf, objectOf, textOf } from './json.js'
import { requestOf } from './person.js'
import { stamp } from './stamp.js'
import type { Run } from './transcript.js'

/** What the person asked for in a message of Cursor, without what the program put around it. */
export function cursorRequest(content: unknown): string | undefined {
  const texts = typeof content === 'string' ? [content] : listOf(content).map(wordsOf)
  const all = texts.join('\n')
  const start = all.indexOf(QUERY)
  if (start < 0) return requestOf(all)
  const end = all.indexOf('</user_query>', start)
  return requestOf(all.slice(start + QUERY.length, end < 0 ? undefined : end))
}

const QUERY = '<user_query>'

const wordsOf = (block: unknown): string => {
  const { type, text } = objectOf(block)
  return type === 'text' ? (textOf(text) ?? '') : ''
}

/** Where a message, a thought, a call or its result begins in the text that Cursor used to write. */
export function startsCursorBlock(line: string): string | undefined {
  const words = line.trimEnd()
  if (words === 'user:') return 'user'
  if (words === 'assistant:' || words === 'A:') return 'assistant'
  if (line.startsWith('[Thinking]')) return 'thought'
  if (line.startsWith('[Tool call]')) return 'call'
  if (line.startsWith('[Tool result]')) return 'result'
}

/** Reads the blocks of such a text. */
export function createCursorBlocks(sink: Sink, run: Run) {
  return function read(record: Json, kind: string): undefined {
    const emit = stamp(sink, run, undefined, run.agent)
    const [first = '', ...rest] = (textOf(record.text) ?? '').split('\n')
    const text = rest.join('\n').trim()
    const name = first.slice(first.indexOf(']') + 1).trim()
    switch (kind) {
      case 'user': {
        const request = cursorRequest(text)
        if (request !== undefined) emit({ type: 'prompt', text: request })
        return
      }
      case 'assistant':
        emit({ type: 'turn-start' })
        if (text !== '') emit({ type: 'text', text })
        return
      case 'thought':
        return void emit({ type: 'reasoning', text: `${name}\n${text}`.trim() })
      case 'call':
        if (name !== '') emit({ type: 'tool-call', name, ...argsIn(rest) })
        return
      case 'result':
        if (name !== '') emit({ type: 'tool-result', name, ...(text !== '' && { output: text }) })
    }
  }
}

/** The arguments, each of which stands on a line of its own: `  path: checkout.ts`. */
function argsIn(lines: readonly string[]): { args?: Json } {
  const args: Record<string, string> = {}
  let last: string | undefined
  for (const line of lines) {
    const name = /^ {2}(\w{1,60}): ?/.exec(line)
    if (name?.[1] !== undefined && name[1] !== '__proto__') {
      last = name[1]
      args[last] = line.slice(name[0].length)
    } else if (last !== undefined && line.trim() !== '') args[last] += `\n${line}`
  }
  return last === undefined ? {} : { args }
}
