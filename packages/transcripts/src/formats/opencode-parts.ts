import type { Sink } from '../format.js'
import { isObject, type Json, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { kindOfStop, setOutcome } from '../outcome.js'
import { requestOf } from '../person.js'
import { count, emitSpent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** Reads what opencode keeps, record by record: a session, its messages, and the parts of each. */
export function createOpencodeReader(sink: Sink, program = 'opencode') {
  let run: Run | undefined
  let message: Json = {}
  let hasPrompt = false
  let compacted = false

  function readMessage(record: Json): void {
    message = record
    hasPrompt = false
    const model = textOf(record.modelID) ?? textOf(objectOf(record.model).modelID)
    if (run && model) run.model = model
    if (run) learnOutcome(run, record)
    const project = textOf(objectOf(record.path).cwd)
    if (run && project) run.project ??= project
    if (record.summary === true && record.role === 'assistant') {
      if (!compacted && run)
        stamp(sink, run, timeIn(record.time), run.agent)({ type: 'compaction' })
      compacted = false
    }
  }

  function readPart(part: Json): void {
    // that of a message that could not be read; what parts say of themselves is enough
    if (textOf(part.messageID) && part.messageID !== message.id) message = {}
    const to = run ?? sink.run({ program })
    run = to
    const at = timeIn(part.time) ?? timeIn(objectOf(part.state).time) ?? timeIn(message.time)
    const emit = stamp(sink, to, at, to.agent)
    if (part.type === 'compaction') {
      compacted = true
      return emit({ type: 'compaction' })
    }
    if (message.role === 'user') {
      const text = part.type === 'text' && part.synthetic !== true ? textOf(part.text) : undefined
      const request = text === undefined || hasPrompt ? undefined : requestOf(text)
      if (request === undefined) return
      hasPrompt = true
      return emit({ type: 'prompt', text: request })
    }
    // the summary that a shortened history begins with
    if (message.summary === true) return
    emitPart(part, textOf(message.modelID), emit)
  }

  return function read(record: Json): string | undefined {
    if ('messageID' in record) readPart(record)
    else if (record.role === 'user' || record.role === 'assistant') readMessage(record)
    else if (isSession(record)) run = sink.run({ program, ...factsOf(record) })
    else return 'not a session, message or part'
  }
}

const isSession = ({ id, projectID, project_id, directory }: Json) =>
  textOf(id) !== undefined &&
  (textOf(projectID) ?? textOf(project_id) ?? textOf(directory)) !== undefined

/** Tells the events of one part of an answer. */
export function emitPart(part: Json, model: string | undefined, emit: Emit): void {
  switch (part.type) {
    case 'step-start':
      return emit({ type: 'turn-start' })
    case 'text':
      if (textOf(part.text)) emit({ type: 'text', text: part.text as string })
      return
    case 'reasoning':
      if (textOf(part.text)) emit({ type: 'reasoning', text: part.text as string })
      return
    case 'tool':
      return emitTool(part, objectOf(part.state), emit)
    case 'step-finish': {
      const tokens = objectOf(part.tokens)
      const cache = objectOf(tokens.cache)
      const plain = spent(tokens.input, cache.read, tokens.output)
      const written = count(cache.write)
      const input = plain.input + plain.cached + written
      const output = plain.output + count(tokens.reasoning)
      const cost = numberOf(part.cost)
      // a subscription costs nothing per answer, and then nothing is recorded
      const paid = cost !== undefined && cost > 0 ? { cost } : {}
      emitSpent(emit, { ...plain, input, output, written, ...paid }, undefined, model)
      return emit({ type: 'turn-end' })
    }
  }
}

/** How it ended, if this is its last message. */
function learnOutcome(run: Run, { role, summary, error, finish }: Json): void {
  if (role === 'user') return setOutcome(run, undefined)
  if (summary === true) return
  const name = textOf(objectOf(error).name)
  if (name === undefined) return setOutcome(run, kindOfStop(finish), textOf(finish))
  const isLimit = /OutputLength|ContextOverflow/.test(name)
  setOutcome(run, name === 'MessageAbortedError' ? 'aborted' : isLimit ? 'limit' : 'failed', name)
}

function emitTool(part: Json, state: Json, emit: Emit): void {
  const name = textOf(part.tool)
  const id = textOf(part.callID)
  if (!name) return
  // until the call is made, its arguments are not there yet
  const args = state.status === 'pending' ? undefined : state.input
  emit({ type: 'tool-call', name, args, ...(id && { id }) })
  if (state.status !== 'completed' && state.status !== 'error') return
  const end = timeOf(objectOf(state.time).end)
  const exitCode = numberOf(objectOf(state.metadata).exit) ?? 0
  emit({
    type: 'tool-result',
    output: state.status === 'error' ? state.error : state.output,
    isError: state.status === 'error' || exitCode !== 0,
    ...(id && { id }),
    ...(end !== undefined && { at: end }),
  })
}

function factsOf(record: Json): Partial<Run> {
  const parent = textOf(record.parentID) ?? textOf(record.parent_id)
  const project = textOf(record.directory)
  const startedAt = timeIn(record.time) ?? timeOf(numberOf(record.time_created))
  const session = record.id as string
  return {
    session,
    // a session that another one started is that of a sub-agent
    ...(parent && { parent, agent: session }),
    ...(project && { project }),
    ...(startedAt !== undefined && { startedAt }),
  }
}

const timeIn = (time: unknown) =>
  isObject(time) ? (timeOf(time.created) ?? timeOf(time.start)) : undefined
