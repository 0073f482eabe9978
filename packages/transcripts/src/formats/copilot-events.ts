import { outputOf } from '../anthropic-blocks.js'
import type { Sink } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { requestOf } from '../person.js'
import { createRecent } from '../recent.js'
import { count, emitSpent, emitTotal, type Spent, spent, sum } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome, Run } from '../transcript.js'

/** Reads the events of a session of Copilot CLI. */
export function createCopilotEvents(sink: Sink, run: Run) {
  const called = createRecent<true>(256)
  /** what was told of each model, for the end of a session has the sums */
  const told = createRecent<Spent>(64)

  function call(name: unknown, id: string | undefined, args: unknown, emit: Emit): void {
    if (id) called.set(id, true)
    if (textOf(name)) {
      emit({ type: 'tool-call', name: name as string, args, ...(id && { id }) })
    }
  }

  function readAnswer(data: Json, emit: Emit): void {
    const thought = textOf(data.reasoningText)
    const text = textOf(data.content)
    const model = textOf(data.model)
    if (model) run.model = model
    delete run.outcome
    if (thought) emit({ type: 'reasoning', text: thought })
    if (text) emit({ type: 'text', text })
    for (const request of listOf(data.toolRequests).filter(isObject)) {
      call(request.name, textOf(request.toolCallId), request.arguments, emit)
    }
    // where the rest is told only at the end
    spend(spent(0, 0, data.outputTokens), model ?? run.model, emit)
  }

  function spend(now: Spent, model: string | undefined, emit: Emit): void {
    emitSpent(emit, now, undefined, model)
    const before = told.get(model ?? '')
    told.set(model ?? '', before ? sum(before, now) : now)
  }

  function readEnd(data: Json, emit: Emit): void {
    for (const [model, metric] of Object.entries(objectOf(data.modelMetrics))) {
      const total = usageOf(objectOf(objectOf(metric).usage))
      emitTotal(emit, total, told.get(model), model)
      told.set(model, total)
    }
    if (data.shutdownType === 'error') run.outcome = { kind: 'failed', status: 'error' }
    else if (data.shutdownType === 'routine') {
      run.outcome ??= { kind: 'finished', status: 'routine' }
    }
  }

  return function read(line: Json): void {
    const data = objectOf(line.data)
    const agent = textOf(line.agentId) ?? textOf(data.parentToolCallId)
    const emit = stamp(sink, run, timeOf(line.timestamp), agent)
    switch (line.type) {
      case 'session.start':
      case 'session.resume':
        return learn(run, data)
      case 'session.model_change':
        run.model = textOf(data.newModel) ?? run.model ?? ''
        return
      case 'session.compaction_complete':
        if (data.success !== false) emit({ type: 'compaction' })
        return
      case 'session.usage_record': {
        const usage = objectOf(data.usage)
        return spend(usageOf(usage), textOf(usage.model), emit)
      }
      case 'session.shutdown':
        return readEnd(data, emit)
      case 'session.task_complete':
        return end(run, 'finished', 'task_complete')
      case 'session.error':
        return end(run, 'failed', textOf(data.errorType) ?? 'error')
      case 'abort':
        return end(run, 'aborted', textOf(data.reason) ?? 'abort')
      case 'user.message':
        return readPrompt(run, data, emit)
      case 'assistant.turn_start':
        return emit({ type: 'turn-start' })
      case 'assistant.turn_end':
        return emit({ type: 'turn-end' })
      case 'assistant.message':
        return readAnswer(data, emit)
      case 'tool.execution_start': {
        const id = textOf(data.toolCallId)
        // most are told by the answer that asks for them
        if (!id || !called.get(id)) call(data.toolName, id, data.arguments, emit)
        return
      }
      case 'tool.execution_complete':
        return emitResult(data, emit)
    }
  }
}

function end(run: Run, kind: Outcome['kind'], status: string): void {
  run.outcome = { kind, status }
}

/** What the person said; skills and the program itself say something, too. */
function readPrompt(run: Run, data: Json, emit: Emit): void {
  if (textOf(data.source) && data.source !== 'user') return
  const text = requestOf(textOf(data.content) ?? '')
  if (text === undefined) return
  delete run.outcome
  emit({ type: 'prompt', text })
}

function emitResult(data: Json, emit: Emit): void {
  const id = textOf(data.toolCallId)
  const { content } = objectOf(data.result)
  const error = objectOf(data.error).message ?? data.error
  const exitCode = numberOf(objectOf(data.shellExecution).exitCode) ?? 0
  const failed = data.success === false
  emit({
    type: 'tool-result',
    output: outputOf(failed ? (error ?? content) : (content ?? data.result)),
    isError: failed || exitCode !== 0,
    ...(id && { id }),
  })
}

/** Copilot counts what came from a cache, or went to one, as input. */
const usageOf = (usage: Json): Spent => ({
  ...spent(usage.inputTokens, usage.cacheReadTokens, usage.outputTokens),
  written: count(usage.cacheWriteTokens),
})

function learn(run: Run, data: Json): void {
  const session = textOf(data.sessionId)
  const at = timeOf(data.startTime)
  const project = textOf(objectOf(data.context).cwd)
  const model = textOf(data.selectedModel)
  if (session) run.session = session
  if (at !== undefined) run.startedAt ??= at
  if (project) run.project ??= project
  if (model) run.model = model
}
