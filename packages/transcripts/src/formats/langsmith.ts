import { toChatMessage } from '../chat-message.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { count, type Spent, spent } from '../spent.js'
import { defineTraces } from './traces.js'

/** Runs exported from LangSmith: of models, of tools, and of the chains and agents around them. */
export const langsmith = defineTraces({
  name: 'langsmith',
  title: 'LangSmith',
  keys: ['runs', 'data'],
  isStep: ({ run_type, trace_id, dotted_order }) =>
    typeof run_type === 'string' && (trace_id !== undefined || dotted_order !== undefined),
  toStep(run) {
    const metadata = objectOf(objectOf(run.extra).metadata)
    const trace = textOf(run.trace_id) ?? textOf(run.dotted_order)?.split('.')[0] ?? ''
    const answer = answerIn(run.outputs)
    const named = toChatMessage(objectOf(objectOf(run.outputs).output))
    return {
      trace: textOf(metadata.thread_id) ?? textOf(metadata.conversation_id) ?? trace,
      id: textOf(run.id) ?? '',
      parent: textOf(run.parent_run_id) ?? '',
      kind: KINDS[textOf(run.run_type) ?? ''],
      name: textOf(run.name) ?? '',
      order: textOf(run.dotted_order) ?? textOf(run.start_time) ?? '',
      start: timeOf(run.start_time),
      end: timeOf(run.end_time),
      error: textOf(run.error),
      isDone: run.status === 'success',
      agent:
        textOf(metadata.ls_agent_type) === 'subagent' ? textOf(metadata.lc_agent_name) : undefined,
      model:
        textOf(metadata.ls_model_name) ?? textOf(objectOf(answer?.response_metadata).model_name),
      spent: spentOn(run, answer),
      asked: messagesIn(objectOf(run.inputs).messages),
      answer,
      call: {
        id: textOf(objectOf(run.inputs).tool_call_id) ?? textOf(named?.tool_call_id),
        args: argsIn(run.inputs),
        output: named ? named.content : (objectOf(run.outputs).output ?? run.outputs),
        isError: named?.status === 'error',
      },
    }
  },
})

const KINDS: Record<string, 'tool' | 'model' | 'agent' | undefined> = Object.assign(
  Object.create(null),
  { tool: 'tool', llm: 'model', agent: 'agent' },
)

/** LangChain hands arguments to a tool as one text, and keeps them beside it. */
function argsIn(inputs: unknown): unknown {
  const { input, ...more } = objectOf(inputs)
  return typeof input === 'string' && Object.keys(more).length === 0 ? input : inputs
}

const messagesIn = (value: unknown): Json[] => {
  const list = listOf(value)
  // LangChain has a list for each of several prompts
  const first = Array.isArray(list[0]) ? list[0] : list
  return first.filter(isObject).map(toChatMessage).filter(isObject)
}

/** The message that a model gave back, in whichever library's form. */
function answerIn(value: unknown): Json | undefined {
  const outputs = objectOf(value)
  const generation = listOf(outputs.generations)[0]
  const { message, text } = objectOf(Array.isArray(generation) ? generation[0] : generation)
  if (isObject(message)) return toChatMessage(message) ?? message
  if (textOf(text)) return { content: text }
  const chosen = objectOf(listOf(outputs.choices)[0]).message
  if (isObject(chosen)) return chosen
  const last = messagesIn(outputs.messages).at(-1)
  if (last) return last
  if (textOf(value)) return { content: value }
  return outputs.content === undefined && outputs.tool_calls === undefined ? undefined : outputs
}

function spentOn(run: Json, answer: Json | undefined): Spent {
  const usage = objectOf(objectOf(run.outputs).usage_metadata ?? answer?.usage_metadata)
  const details = objectOf(usage.input_token_details ?? run.prompt_token_details)
  const plain = spent(
    numberIn(run.prompt_tokens) || usage.input_tokens,
    details.cache_read,
    numberIn(run.completion_tokens) || usage.output_tokens,
  )
  const parts = (numberIn(run.prompt_cost) ?? 0) + (numberIn(run.completion_cost) ?? 0)
  const cost = numberIn(run.total_cost) ?? parts
  return { ...plain, written: count(details.cache_creation), ...(cost > 0 && { cost }) }
}

/** A number, which the interface writes as a text if it is money. */
const numberIn = (value: unknown): number | undefined =>
  numberOf(typeof value === 'string' && value !== '' ? Number(value) : value)
