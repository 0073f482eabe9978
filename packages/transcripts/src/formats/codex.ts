import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { createItems } from '../response-items.js'
import { createRewind } from '../rewind.js'
import { emitSpent, less, type Spent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** Codex: a rollout, one line for each item of the conversation and for each note about it. */
export const codex: RecordFormat = {
  name: 'codex',
  title: 'Codex',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs) || isOld(records),
  locations({ env, home, join }) {
    const folder = env.CODEX_HOME || join(home, '.codex')
    const files = /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst)?$/
    const names = ['sessions', 'archived_sessions']
    return names.map((name) => ({ path: join(folder, name), files, depth: 4 }))
  },
  shortcuts: { skips: (head) => NOTES.test(head) },
  start: (sink) => ({ read: createReader(sink) }),
}

const TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])

// notes that say a second time what items say, and what the program keeps for itself
const NOTES =
  /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(?:world_state"|event_msg","payload":\{"type":"(?!token_count"|thread_rolled_back"|task_complete"|turn_aborted"|error"))/

const isOurs = ({ type, payload }: Json) => TYPES.has(type as string) && isObject(payload)

/** Before September 2025 the items stood in their lines without a frame. */
const isOld = ([first, ...rest]: readonly Json[]) =>
  first !== undefined &&
  textOf(first.id) !== undefined &&
  textOf(first.timestamp) !== undefined &&
  'instructions' in first &&
  rest.every(({ type, record_type }) => type !== undefined || record_type !== undefined)

function createReader(sink: Sink) {
  let run: Run | undefined
  let total = NOTHING
  let hasAnswer = false
  const rewind = createRewind()
  const items = createItems()

  return function read(line: Json): undefined {
    if (!run) {
      run = sink.run({ program: 'codex' })
      if (!isObject(line.payload)) learnSession(run, line)
    }
    const { type } = line
    const payload = isObject(line.payload) ? line.payload : line
    if (type === 'response_item') hasAnswer = true
    const emit = rewind.through(stamp(sink, run, timeOf(line.timestamp), run.agent))
    if (type === 'session_meta') return learnSession(run, payload)
    if (type === 'turn_context') learnModel(run, payload)
    else if (type === 'compacted') readCompaction(emit)
    else if (type === 'event_msg') readNote(payload, emit)
    else if (type === 'response_item' || payload === line) items.take(payload, goOn(run, emit))
  }

  function readCompaction(emit: Emit): void {
    items.endAnswer()
    emit({ type: 'compaction' })
  }

  function rollBack(): void {
    items.endAnswer()
    rewind.mark()
  }

  /** Of the notes only what the items do not tell; the rest of them says the same a second time. */
  function readNote(note: Json, emit: Emit): void {
    if (note.type === 'thread_rolled_back') rollBack()
    if (run) learnOutcome(run, note)
    if (note.type !== 'token_count') return
    const info = objectOf(note.info)
    const last = usageOf(info.last_token_usage)
    const sum = isObject(info.total_token_usage) ? usageOf(info.total_token_usage) : undefined
    // the same count is told again whenever the limits of the account are
    const isNew = sum ? sum.input !== total.input || sum.output !== total.output : hasAnswer
    if (!isNew) return
    hasAnswer = false
    items.endAnswer()
    // a resumed session may start counting again
    const before = sum && sum.input < total.input ? NOTHING : total
    const isTold = !sum || last.input + last.output > 0
    emitSpent(emit, isTold ? last : less(sum, before), undefined, run?.model)
    if (sum) total = sum
  }
}

const NOTHING: Spent = { input: 0, cached: 0, output: 0 }

function usageOf(value: unknown): Spent {
  const usage = objectOf(value)
  return spent(usage.input_tokens, usage.cached_input_tokens, usage.output_tokens)
}

/** The first line tells; a fork carries those of its ancestors behind its own, the nearest first. */
function learnSession(run: Run, meta: Json): undefined {
  const session = textOf(meta.id)
  if (run.session !== undefined) {
    if (session && session !== run.session) run.parent ??= session
    return
  }
  if (session) run.session = session
  const project = textOf(meta.cwd)
  if (project) run.project = project
  const at = timeOf(meta.timestamp)
  if (at !== undefined) run.startedAt = at
  const spawn = objectOf(objectOf(objectOf(meta.source).subagent).thread_spawn)
  const parent = textOf(spawn.parent_thread_id) ?? textOf(meta.forked_from_id)
  if (parent) run.parent = parent
  const agent = textOf(spawn.agent_nickname) ?? textOf(spawn.agent_path)
  if (agent) run.agent = agent
}

/** Passes events on; with each of them the run goes on. */
const goOn =
  (run: Run, emit: Emit): Emit =>
  (event) => {
    setOutcome(run, undefined)
    emit(event)
  }

/** How it ended, if nothing follows. */
function learnOutcome(run: Run, note: Json): void {
  switch (note.type) {
    case 'task_started':
      return setOutcome(run, undefined)
    case 'task_complete':
      // comes after an error as well
      if (run.outcome === undefined) setOutcome(run, 'finished', 'task_complete')
      return
    case 'turn_aborted': {
      const reason = textOf(note.reason) ?? 'turn_aborted'
      return setOutcome(run, ABORTS[reason] ?? 'aborted', reason)
    }
    case 'error': {
      const { codex_error_info: info } = note
      const status = textOf(info) ?? Object.keys(objectOf(info))[0] ?? 'error'
      const isLimit = /limit|exceeded|budget/.test(status)
      return setOutcome(run, isLimit ? 'limit' : 'failed', status)
    }
  }
}

const ABORTS: Record<string, 'finished' | 'limit'> = {
  review_ended: 'finished',
  budget_limited: 'limit',
}

function learnModel(run: Run, context: Json): void {
  const model = textOf(context.model)
  if (model) run.model = model
}
