import { emitAnswer, emitResults } from '../anthropic-blocks.js'
import { brief } from '../brief.js'
import type { Reader, Sink } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { requestIn } from '../person.js'
import { createRecent } from '../recent.js'
import { emitSpent, less, most, type Spent, sum } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome, Run } from '../transcript.js'
import { usageOf } from './claude-code.js'

/** How two programs that print nearly the same lines differ. */
interface Dialect {
  program: string
  /** an answer of the model has one id, in however many lines it comes; else it ends where its calls are answered */
  isTurnPerMessage: boolean
}

/** What one agent is saying. */
interface Speaker {
  /** the answer it is giving; undefined before the first and after results */
  message: string | undefined
  /** characters that came as deltas, and come again with the whole message */
  streamed: { text: number; reasoning: number }
  /** whether a part of this answer came whole */
  isWhole: boolean
  /** what was told of the tokens of this answer */
  spent: Spent
}

const NOTHING: Spent = { input: 0, cached: 0, output: 0 }
// more than run at the same time
const SPEAKERS = 64

/** Reads lines of `--output-format stream-json`, with or without partial messages. */
export function createStreamJsonReader(sink: Sink, dialect: Dialect): Reader {
  const speakers = createRecent<Speaker>(SPEAKERS)
  const run: Run = sink.run({ program: dialect.program })
  let toldSinceResult = NOTHING
  /** dollars so far, by model */
  const paid = createRecent<number>(SPEAKERS)

  function speakerOf(agent: string): Speaker {
    const known = speakers.get(agent)
    if (known) return known
    const fresh: Speaker = {
      message: undefined,
      streamed: { text: 0, reasoning: 0 },
      isWhole: false,
      spent: NOTHING,
    }
    speakers.set(agent, fresh)
    return fresh
  }

  /** The next line belongs to this answer. */
  function begin(speaker: Speaker, id: string, emit: Emit): void {
    const isNew = dialect.isTurnPerMessage ? speaker.message !== id : speaker.message === undefined
    if (isNew) {
      // it was cut off while it streamed, and is asked for again
      const isAgain = !speaker.isWhole && speaker.streamed.text + speaker.streamed.reasoning > 0
      emit({ type: isAgain ? 'retry' : 'turn-start' })
      Object.assign(speaker, {
        streamed: { text: 0, reasoning: 0 },
        isWhole: false,
        spent: NOTHING,
      })
    }
    speaker.message = id
  }

  function spend(speaker: Speaker, usage: Spent, emit: Emit): void {
    emitSpent(emit, usage, speaker.spent, run.model)
    toldSinceResult = sum(toldSinceResult, less(usage, speaker.spent))
    speaker.spent = most(speaker.spent, usage)
  }

  function readAnswer(line: Json, speaker: Speaker, emit: Emit): string | undefined {
    const { message } = line
    if (!isObject(message)) return 'an answer without a message'
    // words of the program, not of a model
    if (message.model === '<synthetic>' || textOf(line.error)) return
    if (listOf(line.supersedes).length > 0) emit({ type: 'retry' })
    begin(speaker, brief(textOf(message.id) ?? ''), emit)
    speaker.isWhole = true
    const { streamed } = speaker
    emitAnswer(message.content, (event) => {
      if (event.type !== 'text' && event.type !== 'reasoning') return emit(event)
      const known = Math.min(streamed[event.type], event.text.length)
      streamed[event.type] -= known
      const text = event.text.slice(known)
      if (text !== '') emit({ ...event, text })
    })
    spend(speaker, usageOf(message.usage), emit)
  }

  /** A part of an answer; its calls come whole, so that only words are read. */
  function readPart({ type, message, delta, usage }: Json, speaker: Speaker, emit: Emit): void {
    if (type === 'message_start') begin(speaker, brief(textOf(objectOf(message).id) ?? ''), emit)
    if (type === 'message_delta') spend(speaker, most(speaker.spent, usageOf(usage)), emit)
    if (type !== 'content_block_delta') return
    const { text, thinking } = objectOf(delta)
    if (textOf(text)) say('text', text as string)
    if (textOf(thinking)) say('reasoning', thinking as string)

    function say(kind: 'text' | 'reasoning', words: string): void {
      speaker.streamed[kind] += words.length
      emit({ type: kind, text: words })
    }
  }

  function readUser(line: Json, speaker: Speaker, emit: Emit): void {
    const { content } = objectOf(line.message)
    if (!dialect.isTurnPerMessage) speaker.message = undefined
    if (emitResults(content, emit)) return
    // what stands here without a parent was not said by the person, unless it is repeated for a program that sends requests
    if (!textOf(line.parent_tool_use_id) && line.isReplay !== true) return
    const text = requestIn(content)
    if (text !== undefined) emit({ type: 'prompt', text })
  }

  /** The end of a request; it counts the tokens right, which the lines before do too early. */
  function readResult(line: Json, emit: Emit): void {
    const models = Object.values(objectOf(line.model_usage_since_last_result)).filter(isObject)
    const whole = models.length > 0 ? models.map(modelUsageOf).reduce(sum) : usageOf(line.usage)
    emitSpent(emit, less(whole, toldSinceResult), undefined, run.model)
    toldSinceResult = NOTHING
    readCosts(line, emit)
    const { kind, status } = endOf(line)
    setOutcome(run, kind, status)
    emit({ type: 'turn-end' })
  }

  /** Dollars are those of the whole process, for each model if it says so. */
  function readCosts(line: Json, emit: Emit): void {
    const models = Object.entries(objectOf(line.modelUsage)).filter(
      ([, usage]) => numberOf(objectOf(usage).costUSD) !== undefined,
    )
    const costs: [model: string | undefined, cost: unknown][] =
      models.length > 0
        ? models.map(([model, usage]) => [model, objectOf(usage).costUSD])
        : [[run.model, line.total_cost_usd]]
    for (const [model, value] of costs) {
      const cost = numberOf(value)
      if (cost === undefined) continue
      const before = { ...NOTHING, cost: paid.get(brief(model ?? '')) ?? 0 }
      emitSpent(emit, less({ ...NOTHING, cost }, before), undefined, model)
      paid.set(brief(model ?? ''), cost)
    }
  }

  return {
    read(line) {
      const agent = textOf(line.parent_tool_use_id)
      learn(run, line)
      const speaker = speakerOf(agent ?? '')
      const emit = stamp(sink, run, timeOf(line.timestamp), agent && brief(agent))
      if (line.type === 'assistant' || line.type === 'user') setOutcome(run, undefined)
      if (line.type === 'assistant') return readAnswer(line, speaker, emit)
      if (line.type === 'stream_event') readPart(objectOf(line.event), speaker, emit)
      if (line.type === 'user') readUser(line, speaker, emit)
      if (line.type === 'result') readResult(line, emit)
      if (line.type === 'system' && line.subtype === 'compact_boundary')
        emit({ type: 'compaction' })
    },
  }
}

/** What the end of a request says of the run. */
function endOf({ subtype, is_error: isError }: Json): Outcome {
  const status = textOf(subtype) ?? 'result'
  if (/^error_max_/.test(status)) return { kind: 'limit', status }
  const isFailed = isError === true || status.startsWith('error')
  return { kind: isFailed ? 'failed' : 'finished', status }
}

function learn(run: Run, line: Json): void {
  const session = textOf(line.session_id)
  if (session) run.session = session
  const at = timeOf(line.timestamp)
  if (at !== undefined) run.startedAt ??= at
  if (line.type !== 'system' || line.subtype !== 'init') return
  const project = textOf(line.cwd)
  if (project) run.project = project
  const model = textOf(line.model)
  if (model) run.model = model
}

const modelUsageOf = (usage: Json): Spent =>
  usageOf({
    input_tokens: usage.inputTokens,
    cache_read_input_tokens: usage.cacheReadInputTokens,
    cache_creation_input_tokens: usage.cacheCreationInputTokens,
    output_tokens: usage.outputTokens,
  })
