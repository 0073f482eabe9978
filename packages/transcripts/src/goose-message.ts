import { outputOf } from './anthropic-blocks.js'
import type { Sink } from './format.js'
import { idOf, type Json, numberOf, objectOf, textOf, timeOf } from './json.js'
import { parse } from './partial-json.js'
import { requestIn } from './person.js'
import { count, type Spent, spent } from './spent.js'
import type { Emit } from './stamp.js'
import type { Run } from './transcript.js'

/** Makes what tells the messages of one goose session, in order. */
export function createGooseTeller() {
  let isAnswering = false
  return (role: unknown, parts: readonly Json[], isVisible: boolean, emit: Emit): void => {
    const isAnswer = role === 'assistant' && parts.some(({ type }) => type !== 'systemNotification')
    // what a model says and what it calls are messages of their own
    if (isAnswer && !isAnswering) emit({ type: 'turn-start' })
    isAnswering = isAnswer
    if (parts.some(({ type }) => type === 'conversationCompacted')) emit({ type: 'compaction' })
    const hasResponse = parts.map((part) => emitPart(part, role, emit)).includes(true)
    // a summary, or a note of the program, is hidden from the person
    if (role !== 'user' || hasResponse || !isVisible) return
    const text = requestIn(parts)
    if (text !== undefined) emit({ type: 'prompt', text })
  }
}

/** Creates the run of a session, by its row or the first line of its file. */
export function startGooseRun(sink: Sink, row: Json, id = idOf(row.id)): Run {
  const project = textOf(row.working_dir)
  const startedAt = utcOf(row.created_at)
  const model = modelIn(row.model_config_json)
  const parent = textOf(row.parent_session_id)
  const isAgent = parent !== undefined || AGENTS.has(row.session_type as string)
  return sink.run({
    program: 'goose',
    ...(id && { session: id }),
    ...(id && isAgent && { agent: id }),
    ...(parent && { parent }),
    ...(project && { project }),
    ...(model && { model }),
    ...(startedAt !== undefined && { startedAt }),
  })
}

/** The tokens and dollars of a row, whose columns begin with `accumulated_` or not. */
export function gooseSpent(row: Json, prefix = ''): Spent {
  const at = (name: string) => row[`${prefix}${name}`]
  const plain = spent(at('input_tokens'), at('cache_read_tokens'), at('output_tokens'))
  const written = count(at('cache_write_tokens'))
  // most providers count what came from a cache as input, some apart from it
  const isApart = plain.input < plain.cached + written
  const cost = numberOf(at('cost'))
  return {
    ...plain,
    input: isApart ? plain.input + plain.cached + written : plain.input,
    written,
    ...(cost !== undefined && cost > 0 && { cost }),
  }
}

/** SQLite writes times in UTC without saying so. */
const utcOf = (value: unknown) =>
  timeOf(
    typeof value === 'string' && SQLITE_TIME.test(value) ? `${value.replace(' ', 'T')}Z` : value,
  )

const SQLITE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

const AGENTS = new Set(['sub_agent', 'specialist'])

const modelIn = (config: unknown) =>
  textOf(objectOf(typeof config === 'string' ? parse(config) : config).model_name)

/** Tells a part of a message; true if it is the answer of a tool. */
function emitPart(part: Json, role: unknown, emit: Emit): boolean {
  const id = textOf(part.id)
  if (part.type === 'toolResponse') {
    const result = objectOf(part.toolResult)
    const value = objectOf(result.value)
    const isError = result.status === 'error' || value.isError === true
    const output = outputOf(result.error ?? value.content ?? result.value)
    emit({ type: 'tool-result', output, isError, ...(id && { id }) })
    return true
  }
  if (role !== 'assistant') return false
  if (part.type === 'text' && textOf(part.text)) emit({ type: 'text', text: part.text as string })
  if (part.type === 'thinking' && textOf(part.thinking)) {
    emit({ type: 'reasoning', text: part.thinking as string })
  }
  if (part.type === 'toolRequest' || part.type === 'frontendToolRequest') {
    const { name, arguments: args } = objectOf(objectOf(part.toolCall).value)
    if (textOf(name)) emit({ type: 'tool-call', name: name as string, args, ...(id && { id }) })
  }
  return false
}
