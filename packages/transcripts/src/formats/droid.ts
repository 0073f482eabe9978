import { emitAnswer, emitResults } from '../anthropic-blocks.js'
import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { requestIn } from '../person.js'
import { readBeside } from '../read-beside.js'
import { count, emitTotal, type Spent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome, Run } from '../transcript.js'

/** Factory Droid: the messages of a session; its model and the sum of its tokens stand in a file beside it. */
export const droid: RecordFormat = {
  name: 'droid',
  title: 'Factory Droid',
  stage: 'experimental',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs),
  locations: ({ env, home, join }) => [
    {
      path: join(env.FACTORY_HOME_OVERRIDE || home, '.factory', 'sessions'),
      files: /\.jsonl$/,
      depth: 1,
    },
  ],
  async start(sink, path) {
    const beside = path.replace(/\.jsonl$/, '.settings.json')
    const settings = beside === path ? undefined : await readBeside(beside)
    return { read: createReader(sink, objectOf(settings)) }
  },
}

const isOurs = ({ type, id, owner, title, cwd }: Json) =>
  type === 'session_start' && !!textOf(id) && [owner, title, cwd].some((fact) => textOf(fact))

function createReader(sink: Sink, settings: Json) {
  const run: Run = sink.run({ program: 'droid' })
  const model = textOf(settings.model)?.replace(/^custom:/, '')
  if (model) run.model = model
  let isFirst = true

  return function read(record: Json): string | undefined {
    if (record.type === 'session_start') return learn(run, record)
    if (record.type === 'agent_turn_outcome') return readOutcome(run, record.reason)
    const emit = stamp(sink, run, timeOf(record.timestamp), run.agent)
    if (record.type === 'compaction_state') return void emit({ type: 'compaction' })
    if (record.type !== 'message') return
    if (!isObject(record.message)) return 'a record without its message'
    const at = timeOf(record.timestamp)
    if (at !== undefined) run.startedAt ??= at
    // nobody knows which answers took them, so they are told before anything can be in a loop
    if (isFirst) emitTotal(emit, usageOf(objectOf(settings.tokenUsage)), undefined, model)
    isFirst = false
    readMessage(run, record.message, emit)
  }
}

function readMessage(run: Run, message: Json, emit: Emit): void {
  // what is meant for the model only, or a note that a hook was run
  if (message.visibility === 'llm_only' || message.hookEventName !== undefined) return
  if (message.role === 'assistant') {
    delete run.outcome
    emit({ type: 'turn-start' })
    return emitAnswer(message.content, emit)
  }
  if (message.role !== 'user') return
  emitResults(message.content, emit)
  // who may see a message is said of those that the program wrote
  if (message.visibility !== undefined) return
  const isText = typeof message.content === 'string'
  const text = requestIn(isText ? message.content : listOf(message.content).filter(isWords))
  if (text === undefined) return
  delete run.outcome
  emit({ type: 'prompt', text })
}

const isWords = (block: unknown) => objectOf(block).type === 'text'

function readOutcome(run: Run, reason: unknown): undefined {
  const status = textOf(reason)
  if (status) setOutcome(run, ENDINGS.get(status) ?? 'failed', status)
}

const ENDINGS = new Map<string, Outcome['kind']>([
  ['completed', 'finished'],
  ['spec_handoff', 'finished'],
  ['cancelled', 'aborted'],
  ['process_exit', 'aborted'],
])

/** Droid counts what came from a cache and went to it, and thoughts, apart from the rest. */
function usageOf(usage: Json): Spent {
  const plain = spent(usage.inputTokens, usage.cacheReadTokens, usage.outputTokens)
  const written = count(usage.cacheCreationTokens)
  return {
    ...plain,
    input: plain.input + plain.cached + written,
    written,
    output: plain.output + count(usage.thinkingTokens),
  }
}

function learn(run: Run, header: Json): undefined {
  const session = textOf(header.id)
  const project = textOf(header.cwd)
  const caller = textOf(header.callingSessionId)
  if (session) run.session = session
  if (project) run.project = project
  if (caller && session) Object.assign(run, { agent: session, parent: caller })
}
