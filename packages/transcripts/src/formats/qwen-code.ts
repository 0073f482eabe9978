import { basename, dirname, join } from 'node:path'
import type { RecordFormat, Sink } from '../format.js'
import { emitModelParts, emitUserParts, usageOf } from '../gemini-parts.js'
import { isObject, type Json, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { readBeside } from '../read-beside.js'
import { createRecent } from '../recent.js'
import { createRewind } from '../rewind.js'
import { emitSpent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome, Run } from '../transcript.js'

/** qwen-code: one line for each message, each answer of a tool, and each note of the program. */
export const qwenCode: RecordFormat = {
  name: 'qwen-code',
  title: 'qwen-code',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs),
  locations({ env, home, join }) {
    const folder = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(home, '.qwen')
    const files = /\.jsonl?$(?<=\/chats\/.*|\/subagents\/.*\/agent-[^/]*\.jsonl)/
    return ['projects', 'tmp'].map((name) => ({ path: join(folder, name), files, depth: 4 }))
  },
  start: async (sink, path) => ({ read: createReader(sink, await outcomeOf(path)) }),
}

function isOurs(record: Json): boolean {
  if (!textOf(record.uuid) || !textOf(record.sessionId)) return false
  const { type, message } = record
  if (type === 'system') return 'systemPayload' in record
  return (
    (type === 'user' || type === 'assistant' || type === 'tool_result') &&
    isObject(message) &&
    Array.isArray(message.parts)
  )
}

// lines with the role of the user that the person did not write
const NOTES = new Set(['notification', 'background_task_completed', 'goal_runtime'])

/** How a sub-agent ended, which is told beside it; undefined of a session. */
async function outcomeOf(path: string): Promise<Outcome | undefined> {
  const name = basename(path, '.jsonl')
  if (!name.startsWith('agent-')) return
  const { status } = objectOf(await readBeside(join(dirname(path), `${name}.meta.json`)))
  const kind = textOf(status) && OUTCOMES[status as string]
  return kind ? { kind, status: status as string } : undefined
}

const OUTCOMES: Record<string, Outcome['kind']> = Object.assign(Object.create(null), {
  completed: 'finished',
  failed: 'failed',
  cancelled: 'aborted',
})

function createReader(sink: Sink, outcome: Outcome | undefined) {
  const run: Run = sink.run({ program: 'qwen-code', ...(outcome && { outcome }) })
  /** the sub-agents whose answer is going on, for each part of it is a line */
  const answering = createRecent<boolean>(64)
  const rewind = createRewind()
  const seen = createRecent<true>(4096)

  return function read(line: Json): undefined {
    const uuid = textOf(line.uuid)
    if (uuid !== undefined) {
      if (seen.get(uuid)) return
      seen.set(uuid, true)
    }
    learn(run, line)
    const agent = line.isSidechain === true || textOf(line.agentId) ? agentOf(line) : undefined
    const stamped = stamp(sink, run, timeOf(line.timestamp), agent)
    const emit = agent === undefined ? rewind.through(stamped) : stamped
    const { parts } = objectOf(line.message)
    if (line.type !== 'system' && agent === undefined) setOutcome(run, undefined)
    const isAnswer = line.type === 'assistant'
    const isPart = agent !== undefined && answering.get(agent) === true
    if (agent !== undefined) answering.set(agent, isAnswer)
    if (isAnswer) return readAnswer(line, parts, isPart, emit)
    if (line.type === 'tool_result') return readResult(line, parts, emit)
    if (line.type === 'user' && !NOTES.has(line.subtype as string)) emitUserParts(parts, emit)
    if (line.type !== 'system') return
    if (line.subtype === 'ui_telemetry' && agent === undefined) learnOutcome(run, line)
    if (line.subtype === 'rewind') rewind.mark()
    if (line.subtype === 'chat_compression' && isDone(line.systemPayload)) {
      emit({ type: 'compaction' })
    }
  }
}

function readAnswer(line: Json, parts: unknown, isPart: boolean, emit: Emit): undefined {
  if (!isPart) emit({ type: 'turn-start' })
  emitModelParts(parts, emit)
  if (isObject(line.usageMetadata)) {
    emitSpent(emit, usageOf(line.usageMetadata), undefined, textOf(line.model))
  }
}

function readResult(line: Json, parts: unknown, emit: Emit): undefined {
  const { status } = objectOf(line.toolCallResult)
  emitUserParts(parts, (event) => {
    if (event.type !== 'tool-result') return
    emit(status === 'error' ? { ...event, isError: true } : event)
  })
}

/** How it ended, if nothing follows: the program notes what became of its requests. */
function learnOutcome(run: Run, { systemPayload }: Json): void {
  const event = objectOf(objectOf(systemPayload).uiEvent)
  const name = textOf(event['event.name']) ?? ''
  if (name.endsWith('.api_error')) {
    const status = textOf(event.error_type) ?? 'api_error'
    const isLimit = event.status_code === 429 || /quota|limit/i.test(status)
    setOutcome(run, isLimit ? 'limit' : 'failed', status)
  }
  if (name.endsWith('.api_cancel')) setOutcome(run, 'aborted', 'api_cancel')
}

/** Compression that did not help leaves the history as it is; 1 is the code for one that did. */
function isDone(payload: unknown): boolean {
  const { compressionStatus } = objectOf(objectOf(payload).info)
  return compressionStatus === undefined || compressionStatus === 1
}

const agentOf = (line: Json) => textOf(line.agentId) ?? 'side'

function learn(run: Run, line: Json): void {
  const session = textOf(line.sessionId)
  if (session) run.session ??= session
  const project = textOf(line.cwd)
  if (project) run.project ??= project
  const at = timeOf(line.timestamp)
  if (at !== undefined && run.startedAt === undefined) {
    run.startedAt = at
    // the file of a sub-agent names the session that started it
    if (line.isSidechain === true) {
      run.agent = agentOf(line)
      if (session) run.parent = session
    }
  }
  const model = textOf(line.model)
  if (model) run.model = model
}
