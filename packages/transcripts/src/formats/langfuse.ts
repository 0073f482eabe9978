import { toChatMessage } from '../chat-message.js'
import { argsOf, isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { count, type Spent } from '../spent.js'
import { defineTraces } from './traces.js'

/** Observations exported from Langfuse, alone or with their trace. */
export const langfuse = defineTraces({
  name: 'langfuse',
  title: 'Langfuse',
  keys: ['observations', 'data'],
  isStep: ({ traceId, type }) => typeof traceId === 'string' && typeof type === 'string',
  toStep(observation) {
    const { level, metadata } = observation
    const isFailed = level === 'ERROR'
    const output = argsOf(observation.output)
    return {
      trace: textOf(observation.sessionId) ?? textOf(observation.traceId) ?? '',
      id: textOf(observation.id) ?? '',
      parent: textOf(observation.parentObservationId) ?? '',
      kind: KINDS[textOf(observation.type) ?? ''],
      name: textOf(observation.name) ?? '',
      order: textOf(observation.startTime) ?? '',
      start: timeOf(observation.startTime),
      end: timeOf(observation.endTime),
      error: isFailed ? (textOf(observation.statusMessage) ?? 'ERROR') : undefined,
      isDone: textOf(observation.endTime) !== undefined,
      agent: undefined,
      model: textOf(observation.model),
      spent: spentOn(observation),
      asked: askedIn(argsOf(observation.input)),
      answer: answerIn(output),
      call: {
        id: textOf(objectOf(metadata).tool_call_id) ?? textOf(objectOf(output).tool_call_id),
        args: argsOf(observation.input),
        output: isObject(output) && 'tool_call_id' in output ? output.content : output,
        isError: objectOf(output).status === 'error',
      },
    }
  },
})

const KINDS: Record<string, 'tool' | 'model' | 'agent' | undefined> = Object.assign(
  Object.create(null),
  { TOOL: 'tool', GENERATION: 'model', AGENT: 'agent' },
)

const askedIn = (input: unknown): Json[] =>
  listOf(isObject(input) ? input.messages : input)
    .filter(isObject)
    .map(toChatMessage)
    .filter(isObject)

function answerIn(output: unknown): Json | undefined {
  if (textOf(output)) return { content: output }
  if (Array.isArray(output)) return askedIn(output).at(-1)
  if (!isObject(output)) return
  const chosen = objectOf(listOf(output.choices)[0]).message
  return isObject(chosen) ? chosen : (toChatMessage(output) ?? output)
}

/** What came from a cache is counted apart from the input, unless the total says that it is part of it. */
function spentOn(observation: Json): Spent {
  const usage = objectOf(observation.usageDetails ?? observation.usage)
  const plainInput = count(usage.input ?? observation.promptTokens)
  const plainOutput = count(usage.output ?? observation.completionTokens)
  const isWhole = numberOf(usage.total) === plainInput + plainOutput
  const sumOf = (names: RegExp) =>
    Object.entries(usage).reduce(
      (all, [name, value]) => (names.test(name) ? all + count(value) : all),
      0,
    )
  const cached = sumOf(/^(?:input_cached_tokens|input_cache_read|cache_read_input_tokens)$/)
  const written = sumOf(/^(?:input_cache_creation|cache_creation_input_tokens)$/)
  const costs = objectOf(observation.costDetails)
  const cost = numberOf(costs.total) ?? numberOf(observation.calculatedTotalCost)
  return {
    input: isWhole ? plainInput : plainInput + cached + written,
    cached,
    written,
    output: isWhole ? plainOutput : plainOutput + sumOf(/^output_reasoning(?:_tokens)?$/),
    ...(cost !== undefined && cost > 0 && { cost }),
  }
}
