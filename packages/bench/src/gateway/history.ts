import { prose } from '../prose.js'
import { createRandom } from '../random.js'
import { callMessage, INSTANT_MODEL } from './answers.js'

/** The requests of one agent's conversation: each adds the last answer and a new tool result to the one before. */
export interface Conversation {
  session: string
  /** messages in the last request */
  readonly messages: number
  /** the next request, as it goes over the wire */
  next(): Buffer
}

// a message with its result is 1 KB
const RESULT = 960
// enough for 250 results of one conversation that do not overlap
const TEXT = prose(createRandom('tool results'), RESULT * 250)

/** A conversation whose first request has `start` messages: system, user, then calls and their results. */
export function createConversation(number: number, start: number): Conversation {
  let n = number * 1000
  const offset = createRandom(number).int(0, TEXT.length - 1)
  const messages = [
    { role: 'system', content: `You are a coding agent. ${TEXT.slice(0, 600)}` },
    { role: 'user', content: `Task ${number}: ${resultText(offset, n).slice(-200)}` },
  ].map((message) => JSON.stringify(message))
  const goOn = () => {
    n++
    const call = callMessage(n)
    const content = resultText(offset, n)
    const result = { role: 'tool', tool_call_id: call.tool_calls[0]?.id, content }
    messages.push(JSON.stringify(call), JSON.stringify(result))
  }
  while (messages.length < start) goOn()

  let isFirst = true
  return {
    session: `bench-${number}`,
    get messages() {
      return messages.length
    },
    next() {
      if (!isFirst) goOn()
      isFirst = false
      return Buffer.from(
        `{"model":"${INSTANT_MODEL}","messages":[${messages.join(',')}],"tools":${TOOLS_TEXT}}`,
      )
    },
  }
}

/** The number of the call that a conversation makes next: the upstream reads it from the last result. */
export function wantedCall(body: Buffer): number {
  const at = body.lastIndexOf('[part ')
  return at < 0 ? 1 : Number.parseInt(body.toString('latin1', at + 6, at + 24), 10) + 1
}

/** A short request for a streamed answer; all numbers give the same length, which the load generator relies on. */
export function questionBody(
  number: number,
  { model = INSTANT_MODEL, tokens = 0 }: { model?: string; tokens?: number } = {},
): Buffer {
  const content = `${questionName(number)}: what does the handler do when its answer is late?`
  return Buffer.from(
    JSON.stringify({
      model,
      stream: true,
      ...(tokens > 0 && { max_tokens: tokens }),
      messages: [
        { role: 'system', content: 'You are a coding agent. Answer in plain words.' },
        { role: 'user', content },
      ],
      tools: TOOLS,
    }),
  )
}

/** Names the session of a question, and the question itself. */
export const questionName = (number: number) => `question-${`${number}`.padStart(9, '0')}`

function resultText(offset: number, n: number): string {
  const at = (offset + (n % 1000) * RESULT) % TEXT.length
  const text = TEXT.slice(at, at + RESULT).padEnd(RESULT, TEXT)
  return `${text.slice(0, RESULT - 20)} [part ${n}]`
}

const TOOLS = [
  toolOf('read_file', 'Reads lines of a file', { path: 'string', from: 'integer', to: 'integer' }),
  toolOf('search', 'Searches a folder', { query: 'string', folder: 'string' }),
  toolOf('run', 'Runs a command', { command: 'string' }),
]
const TOOLS_TEXT = JSON.stringify(TOOLS)

function toolOf(name: string, description: string, fields: Record<string, string>) {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([field, type]) => [field, { type }]),
  )
  const parameters = { type: 'object', properties, required: Object.keys(fields) }
  return { type: 'function', function: { name, description, parameters } }
}
