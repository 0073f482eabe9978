import { argsOf, isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { requestOf } from '../person.js'
import { emitSpent, spent } from '../spent.js'
import type { Emit } from '../stamp.js'
import type { Run } from '../transcript.js'
import { emitInvocation, partText } from './vscode-parts.js'

/** Tells one request of a chat in VS Code, and what came of it. */
export function emitRequest(run: Run, request: Json, emit: Emit): void {
  const result = objectOf(request.result)
  const metadata = objectOf(result.metadata)
  const model = textOf(metadata.resolvedModel) ?? textOf(request.modelId)?.replace(/^copilot\//, '')
  if (model) run.model = model
  const text = requestOf(textOf(request.message) ?? textOf(objectOf(request.message).text) ?? '')
  if (text !== undefined) emit({ type: 'prompt', text })
  const rounds = listOf(metadata.toolCallRounds).filter(isObject)
  const parts = listOf(request.response).filter(isObject)
  if (rounds.length === 0) emitParts(parts, emit)
  else {
    for (const round of rounds) emitRound(round, objectOf(metadata.toolCallResults), emit)
    // rounds do not tell what sub-agents did
    for (const part of parts) if (textOf(part.subAgentInvocationId)) emitInvocation(part, emit)
  }
  const usage = objectOf(result.usage ?? request.usage)
  const input = metadata.promptTokens ?? usage.promptTokens
  const output = metadata.outputTokens ?? usage.completionTokens
  emitSpent(emit, spent(input, 0, output), undefined, model)
  if (isObject(metadata.summary) || listOf(metadata.summaries).length > 0) {
    emit({ type: 'compaction' })
  }
  readEnd(run, request, result, metadata)
}

/** An answer of the model: what it thought, said and called, and what came back. */
function emitRound(round: Json, results: Json, tell: Emit): void {
  const at = timeOf(round.timestamp)
  const emit: Emit = (event) => tell(at === undefined ? event : { ...event, at })
  const thought = partText(objectOf(round.thinking).text)
  const calls = listOf(round.toolCalls).filter(isObject)
  emit({ type: 'turn-start' })
  if (thought) emit({ type: 'reasoning', text: thought })
  if (textOf(round.response)) emit({ type: 'text', text: round.response as string })
  for (const call of calls) {
    const id = textOf(call.id)
    const name = textOf(call.name)
    if (name) emit({ type: 'tool-call', name, args: argsOf(call.arguments), ...(id && { id }) })
  }
  for (const { id } of calls) {
    const result =
      textOf(id) && Object.hasOwn(results, id as string) ? results[id as string] : undefined
    if (!isObject(result)) continue
    const output = outputOf(result.content)
    const isError = typeof output === 'string' && output.startsWith(FAILED)
    emit({ type: 'tool-result', id: id as string, output, ...(isError && { isError }) })
  }
}

// what Copilot Chat gives the model in place of an answer
const FAILED = 'ERROR while calling tool:'

/** The texts of a result; a part that was rendered for the model is a tree, which is kept as it is. */
function outputOf(content: unknown): unknown {
  const values = listOf(content).map((part) => objectOf(part).value)
  return values.every((value) => typeof value === 'string') ? values.join('\n') : content
}

/** A request without rounds: what was shown. */
function emitParts(parts: readonly Json[], emit: Emit): void {
  if (parts.length > 0) emit({ type: 'turn-start' })
  for (const part of parts) {
    const { kind } = part
    const text =
      kind === undefined || kind === 'markdownContent' || kind === 'markdownVuln'
        ? partText(part.value ?? objectOf(part.content).value)
        : undefined
    const thought = kind === 'thinking' ? partText(part.value) : undefined
    if (text) emit({ type: 'text', text })
    if (thought) emit({ type: 'reasoning', text: thought })
    if (kind === 'toolInvocationSerialized') emitInvocation(part, emit)
  }
}

function readEnd(run: Run, request: Json, result: Json, metadata: Json): void {
  const state = numberOf(objectOf(request.modelState).value)
  const error = objectOf(result.errorDetails)
  if (request.isCanceled === true || state === 2) return setOutcome(run, 'aborted', 'cancelled')
  if (metadata.maxToolCallsExceeded === true) {
    return setOutcome(run, 'limit', 'maxToolCallsExceeded')
  }
  if (textOf(error.message)) {
    return setOutcome(run, 'failed', textOf(error.code) ?? textOf(error.message))
  }
  if (state === 3) return setOutcome(run, 'failed', 'failed')
  setOutcome(run, state === 1 || isObject(request.result) ? 'finished' : undefined, 'complete')
}
