import { outputOf } from '../anthropic-blocks.js'
import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { requestIn } from '../person.js'
import { createRewind } from '../rewind.js'
import { count, emitSpent, type Spent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome, Run } from '../transcript.js'

/** Pi: a tree of entries, each of which names the one before it. */
export const pi: RecordFormat = {
  name: 'pi',
  title: 'Pi',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs),
  locations: ({ env, home, join }) => {
    const agent = env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent')
    const sessions = env.PI_CODING_AGENT_SESSION_DIR || join(agent, 'sessions')
    return [{ path: sessions, files: /\.jsonl$/, depth: 1 }]
  },
  start: (sink) => ({ read: createReader(sink) }),
}

function isOurs({ type, id, cwd, timestamp, message }: Json): boolean {
  if (type === 'session') return !!textOf(id) && !!textOf(cwd) && typeof timestamp === 'string'
  if (type !== 'message' || !isObject(message)) return false
  return message.role === 'toolResult' || (textOf(message.api) !== undefined && 'usage' in message)
}

function createReader(sink: Sink) {
  const run: Run = sink.run({ program: 'pi' })
  const rewind = createRewind()
  let last: unknown

  return function read(entry: Json): string | undefined {
    if (entry.type === 'session') return learn(run, entry)
    // files of the first version have no ids, and no branches
    if (last !== undefined && textOf(entry.id) && entry.parentId !== last) rewind.mark()
    last = textOf(entry.id)
    const emit = rewind.through(stamp(sink, run, timeOf(entry.timestamp)))
    if (entry.type === 'model_change') run.model = textOf(entry.modelId) ?? run.model ?? ''
    else if (entry.type === 'compaction') emit({ type: 'compaction' })
    else if (entry.type === 'message') {
      if (!isObject(entry.message)) return 'an entry without its message'
      readMessage(run, entry.message, emit)
    }
  }
}

function readMessage(run: Run, message: Json, emit: Emit): void {
  if (message.role === 'user') {
    const text = requestIn(message.content)
    if (text === undefined) return
    delete run.outcome
    return emit({ type: 'prompt', text })
  }
  if (message.role === 'assistant') return readAnswer(run, message, emit)
  if (message.role !== 'toolResult') return
  const id = textOf(message.toolCallId)
  const name = textOf(message.toolName)
  emit({
    type: 'tool-result',
    output: outputOf(message.content),
    ...(id && { id }),
    ...(name && { name }),
    ...(typeof message.isError === 'boolean' && { isError: message.isError }),
  })
}

function readAnswer(run: Run, message: Json, emit: Emit): void {
  const model = textOf(message.model)
  if (model) run.model = model
  emit({ type: 'turn-start' })
  for (const block of listOf(message.content).filter(isObject)) emitBlock(block, emit)
  emitSpent(emit, usageOf(objectOf(message.usage)), undefined, model)
  const status = textOf(message.stopReason) ?? ''
  const kind = ENDINGS.get(status)
  if (kind) run.outcome = { kind, status }
  else delete run.outcome
}

const ENDINGS = new Map<string, Outcome['kind']>([
  ['stop', 'finished'],
  ['length', 'limit'],
  ['error', 'failed'],
  ['aborted', 'aborted'],
])

function emitBlock(block: Json, emit: Emit): void {
  const text = textOf(block.text)
  const thought = textOf(block.thinking)
  const name = textOf(block.name)
  const id = textOf(block.id)
  if (block.type === 'text' && text) emit({ type: 'text', text })
  if (block.type === 'thinking' && thought) emit({ type: 'reasoning', text: thought })
  if (block.type === 'toolCall' && name) {
    emit({ type: 'tool-call', name, args: block.arguments, ...(id && { id }) })
  }
}

/** Pi counts what came from a cache and went to it apart from the rest of the input. */
function usageOf(usage: Json): Spent {
  const plain = spent(usage.input, usage.cacheRead, usage.output)
  const written = count(usage.cacheWrite)
  const cost = numberOf(objectOf(usage.cost).total)
  return {
    ...plain,
    input: plain.input + plain.cached + written,
    written,
    // nothing is what it writes where it does not know the price
    ...(cost !== undefined && cost > 0 && { cost }),
  }
}

function learn(run: Run, header: Json): undefined {
  const session = textOf(header.id)
  const project = textOf(header.cwd)
  const startedAt = timeOf(header.timestamp)
  const parent = textOf(header.parentSession)
  if (session) run.session = session
  if (project) run.project = project
  if (startedAt !== undefined) run.startedAt = startedAt
  if (parent) run.parent = sessionOf(parent)
}

/** The id of a session by its file, `<time>_<id>.jsonl`. */
const sessionOf = (path: string) => path.slice(path.lastIndexOf('_') + 1).replace('.jsonl', '')
