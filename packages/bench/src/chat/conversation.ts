import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSessionLog, type Entry, type Message } from '@unloop/agent'
import { emptyHome } from './terminal.js'

const ANSWER = `## What it does

The **parser** reads \`src/parser.ts\` and

1. splits the text into lines
2. joins those that belong together

\`\`\`ts
const limit: number = 80
export const isLong = (line: string) => line.length > limit
\`\`\`

That is all there is to say about it, and it takes more than one row of a terminal to say it.`

/** Saves a conversation of so many entries; gives the home folder it is in. */
export function saveConversation(count: number): string {
  const home = emptyHome()
  const folder = join(home, 'unloop', 'sessions')
  mkdirSync(folder, { recursive: true })
  const header = {
    id: 'longlong',
    model: 'embedded',
    folder: home,
    createdAt: new Date(0).toISOString(),
  }
  const log = createSessionLog(join(folder, 'longlong.jsonl'), {
    header,
    entries: [],
    state: undefined,
  })
  for (let number = 0; number < count; number++) log.append(entryOf(number))
  return home
}

const entryOf = (number: number): Entry => ({
  message: messageOf(number),
  first: number,
  last: number,
})

/** A question, a call, its result and an answer, over and over. */
function messageOf(number: number): Message {
  const id = `call-${number >> 2}`
  const name = 'read_file'
  switch (number % 4) {
    case 0:
      return { role: 'user', content: `Question ${number}: what does the parser do?` }
    case 1:
      return {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'I should read it first.\nThen I can answer.' },
          { type: 'tool-call', id, name, args: { path: `src/parser-${number}.ts` } },
        ],
      }
    case 2: {
      const output = 'export const line = 1\n'.repeat(40)
      return {
        role: 'tool',
        content: [{ type: 'tool-result', id, name, output, isError: false, outcome: 'done' }],
      }
    }
    default:
      return { role: 'assistant', content: [{ type: 'text', text: ANSWER }] }
  }
}
