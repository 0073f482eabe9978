import { emitAnswer } from '../anthropic-blocks.js'
import { fileOf } from '../file-uri.js'
import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { kindOfStop, setOutcome } from '../outcome.js'
import { requestIn } from '../person.js'
import { count, emitSpent, type Spent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** Amp: a thread, with its messages and a ledger of what was spent. */
export const amp: RecordFormat = {
  name: 'amp',
  title: 'Amp',
  stage: 'stable',
  container: 'records',
  layouts: ['document'],
  detect: ({ records, isArray }) => !isArray && records.some(isOurs),
  locations: ({ data, join }) => [
    { path: join(data, 'amp', 'threads'), files: /^T-[^/]*\.json$/, depth: 0 },
  ],
  start: createReader,
}

const isOurs = ({ id, messages }: Json) =>
  textOf(id)?.startsWith('T-') === true && Array.isArray(messages)

function createReader(sink: Sink): Reader {
  const run: Run = sink.run({ program: 'amp' })
  let hasUsage = false

  function readMessage(message: Json): string | undefined {
    const { role } = message
    if (role !== 'user' && role !== 'assistant' && role !== 'info') return 'not a message'
    const at = timeOf(objectOf(message.usage).timestamp) ?? timeOf(objectOf(message.meta).sentAt)
    const emit = stamp(sink, run, at)
    if (role === 'info') return readNote(message, emit)
    if (role === 'user') return readUser(run, message, emit)
    emit({ type: 'turn-start' })
    emitAnswer(message.content, emit)
    const usage = objectOf(message.usage)
    const model = textOf(usage.model)
    if (model) {
      run.model = model
      hasUsage = true
    }
    emitSpent(emit, usageOf(usage), undefined, model)
    readState(run, objectOf(message.state))
  }

  /** What models did beside the conversation: for sub-agents, the oracle, searches. */
  function readEntry(entry: Json): void {
    const isAnswer = entry.operationType === undefined || entry.operationType === 'inference'
    if (isAnswer && hasUsage) return
    const agent = isAnswer ? undefined : (textOf(entry.subagentThreadID) ?? entry.operationType)
    const { input, output } = objectOf(entry.tokens)
    const emit = stamp(sink, run, timeOf(entry.timestamp), textOf(agent))
    emitSpent(emit, spent(input, 0, output), undefined, textOf(entry.model))
  }

  return {
    read(record, key) {
      if (key === 'messages') return readMessage(record)
      if (key === 'env') run.project = projectIn(objectOf(record.initial)) ?? run.project ?? ''
      if (key === 'relationships' && record.role === 'child') {
        run.parent = textOf(record.threadID) ?? ''
      }
      if (key === 'usageLedger') {
        for (const entry of listOf(record.events).filter(isObject)) readEntry(entry)
      }
    },
    learn(key, value) {
      if (key === 'id') run.session = textOf(value) ?? ''
      const at = key === 'created' ? timeOf(value) : undefined
      if (at !== undefined) run.startedAt = at
    },
  }
}

function readUser(run: Run, message: Json, emit: Emit): undefined {
  const blocks = listOf(message.content).filter(isObject)
  for (const block of blocks) if (block.type === 'tool_result') emitResult(block, emit)
  const text = requestIn(blocks.filter(({ type }) => type === 'text'))
  if (text === undefined) return
  delete run.outcome
  emit({ type: 'prompt', text })
}

/** Notes of the program; one may hold the summary that the history was replaced by. */
function readNote(message: Json, emit: Emit): undefined {
  const isSummary = listOf(message.content).some((block) => objectOf(block).type === 'summary')
  if (isSummary) emit({ type: 'compaction' })
}

function emitResult(block: Json, emit: Emit): void {
  const run = objectOf(block.run)
  const status = textOf(run.status) ?? ''
  if (!OVER.has(status)) return
  const id = textOf(block.toolUseID)
  const exitCode = numberOf(objectOf(run.result).exitCode) ?? 0
  emit({
    type: 'tool-result',
    output: status === 'error' ? (objectOf(run.error).message ?? run.error) : outputIn(run),
    isError: status !== 'done' || exitCode !== 0,
    ...(id && { id }),
  })
}

/** How a tool's run can end; one that goes on has no result yet. */
const OVER = new Set(['done', 'error', 'cancelled', 'rejected-by-user'])

const outputIn = ({ result, reason }: Json) =>
  isObject(result) && typeof result.output === 'string' ? result.output : (result ?? reason)

function readState(run: Run, { type, stopReason, error }: Json): void {
  if (type === 'cancelled') return setOutcome(run, 'aborted', type)
  if (type === 'error') return setOutcome(run, 'failed', textOf(objectOf(error).message) ?? type)
  setOutcome(run, kindOfStop(stopReason), textOf(stopReason))
}

/** What counts as plain input differs by provider, and so the sum is taken where it is given. */
function usageOf(usage: Json): Spent {
  const plain = spent(usage.inputTokens, usage.cacheReadInputTokens, usage.outputTokens)
  const written = count(usage.cacheCreationInputTokens)
  const input = numberOf(usage.totalInputTokens) ?? plain.input + plain.cached + written
  return { ...plain, input: Math.max(0, input), written }
}

const projectIn = (initial: Json): string | undefined =>
  fileOf(textOf(objectOf(listOf(initial.trees)[0]).uri))
