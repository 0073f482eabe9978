import { brief } from '../brief.js'
import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, objectOf, textOf, timeOf } from '../json.js'
import { createRecent } from '../recent.js'
import { emitSpent, type Spent, spent } from '../spent.js'
import { stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** One step of a trace, in words that both have. */
interface Step {
  trace: string
  kind: 'tool' | 'model' | undefined
  name: string
  input: unknown
  output: unknown
  error: string | undefined
  start: number | undefined
  end: number | undefined
  model: string | undefined
  spent: Spent
}

/** Runs exported from LangSmith: of tools with what went in and came out, of models the words and the tokens. */
export const langsmith = defineTraces({
  name: 'langsmith',
  title: 'LangSmith',
  keys: ['runs'],
  isStep: ({ run_type, trace_id, dotted_order }) =>
    typeof run_type === 'string' && (trace_id !== undefined || dotted_order !== undefined),
  toStep: (run) => ({
    trace: textOf(run.trace_id) ?? '',
    kind: run.run_type === 'tool' ? 'tool' : run.run_type === 'llm' ? 'model' : undefined,
    name: textOf(run.name) ?? '',
    input: run.inputs,
    output: run.outputs,
    error: textOf(run.error),
    start: timeOf(run.start_time),
    end: timeOf(run.end_time),
    model: textOf(objectOf(objectOf(run.extra).metadata).ls_model_name),
    spent: spent(run.prompt_tokens, 0, run.completion_tokens),
  }),
})

/** Observations exported from Langfuse. */
export const langfuse = defineTraces({
  name: 'langfuse',
  title: 'Langfuse',
  keys: ['observations'],
  isStep: ({ traceId, type }) => typeof traceId === 'string' && typeof type === 'string',
  toStep: (observation) => ({
    trace: textOf(observation.traceId) ?? '',
    kind:
      observation.type === 'TOOL'
        ? 'tool'
        : observation.type === 'GENERATION'
          ? 'model'
          : undefined,
    name: textOf(observation.name) ?? '',
    input: observation.input,
    output: observation.output,
    error:
      observation.level === 'ERROR' ? (textOf(observation.statusMessage) ?? 'error') : undefined,
    start: timeOf(observation.startTime),
    end: timeOf(observation.endTime),
    model: textOf(observation.model),
    spent: spent(
      objectOf(observation.usageDetails).input,
      0,
      objectOf(observation.usageDetails).output,
    ),
  }),
})

interface TracesDefinition {
  name: string
  title: string
  /** the members of an object that hold the list */
  keys: readonly string[]
  isStep(record: Json): boolean
  toStep(record: Json): Step
}

function defineTraces({ name, title, keys, isStep, toStep }: TracesDefinition): RecordFormat {
  const listIn = (record: Json) =>
    keys.flatMap((key) => listOf(record[key]).filter(isObject)).filter(isStep)
  return {
    name,
    title,
    stage: 'experimental',
    container: 'records',
    layouts: ['lines', 'document'],
    detect: ({ records }) => records.some((record) => isStep(record) || listIn(record).length > 0),
    start(sink) {
      const tell = createTeller(sink)
      return {
        read(record, key) {
          if (key !== '' && !keys.includes(key)) return
          if (isStep(record)) tell(toStep(record))
          for (const step of listIn(record)) tell(toStep(step))
          return undefined
        },
      }
    },
  }
}

function createTeller(sink: Sink) {
  const runs = createRecent<Run>(256)
  return (step: Step): void => {
    if (step.kind === undefined) return
    const trace = brief(step.trace)
    const known = runs.get(trace)
    const run = known ?? sink.run({ session: trace })
    if (!known) runs.set(trace, run)
    const emit = stamp(sink, run, step.start)
    if (step.kind === 'tool') {
      const { name, error, end } = step
      emit({ type: 'tool-call', name, args: step.input })
      stamp(
        sink,
        run,
        end,
      )({
        type: 'tool-result',
        name,
        output: error ?? step.output,
        isError: error !== undefined,
      })
      return
    }
    if (step.model) run.model = brief(step.model)
    emit({ type: 'turn-start' })
    const text = textOf(step.output) ?? textOf(objectOf(step.output).content)
    if (text) emit({ type: 'text', text })
    emitSpent(emit, step.spent, undefined, step.model)
  }
}
