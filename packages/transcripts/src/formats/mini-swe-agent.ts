import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { requestIn } from '../person.js'
import { count, emitSpent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome } from '../transcript.js'
import { emitChat, usageOf } from './openai-chat.js'

/** mini-swe-agent: a `.traj.json` document, whose messages hold commands in a fence or as calls. */
export const miniSweAgent: RecordFormat = {
  name: 'mini-swe-agent',
  title: 'mini-swe-agent',
  stage: 'stable',
  container: 'records',
  layouts: ['document', 'lines'],
  detect: ({ records, isArray }) => (isArray ? isBare(records) : records.some(isOurs)),
  locations: ({ env, config, join }) => [
    {
      path: env.MSWEA_GLOBAL_CONFIG_DIR || join(config, 'mini-swe-agent'),
      files: /\.traj\.json$/,
      depth: 1,
    },
  ],
  start: createReader,
}

const isOurs = (record: Json) =>
  (typeof record.trajectory_format === 'string' &&
    record.trajectory_format.startsWith('mini-swe-agent')) ||
  (isObject(record.info) && 'mini_version' in record.info) ||
  isBare(listOf(record.messages).filter(isObject))

/** Older files are the list of messages and nothing else; what a command printed is known by its frame. */
const isBare = (messages: readonly Json[]) =>
  messages.some(
    ({ role, content }) =>
      role === 'user' && typeof content === 'string' && RETURN_CODE.test(content.slice(0, 40)),
  )

const RETURN_CODE = /^\s*<returncode>(-?\d+)<\/returncode>/
const FENCE = /```(?:bash|sh|mswea_bash_command)[ \t\r]*\n/

function createReader(sink: Sink): Reader {
  let teller: Teller | undefined

  function read(record: Json, key: string): string | undefined {
    if (key === '' && Array.isArray(record.messages)) {
      const whole = createTeller(sink)
      if (isObject(record.info)) whole.learn(record.info)
      for (const message of record.messages) if (isObject(message)) whole.take(message)
      return whole.end()
    }
    if (key !== '' && key !== 'messages' && key !== 'info') return
    if (key !== 'info' && typeof record.role !== 'string') return 'not a message'
    teller ??= createTeller(sink)
    if (key === 'info') teller.learn(record)
    else teller.take(record)
  }

  return { read, end: () => teller?.end() }
}

type Teller = ReturnType<typeof createTeller>

function createTeller(sink: Sink) {
  const run = sink.run({ program: 'mini-swe-agent' })
  const emit = stamp(sink, run, undefined)
  let calls = 0
  let isWaiting = false
  /** dollars of the whole run, and of one answer where each has its share */
  let total = 0
  let share = 0
  let told = 0

  function learn(info: Json): undefined {
    const stats = objectOf(info.model_stats)
    const model = textOf(objectOf(objectOf(objectOf(info.config).model)).model_name)
    if (model) run.model = model
    total = numberOf(stats.instance_cost) ?? 0
    share = total / Math.max(1, count(stats.api_calls))
    learnStatus(info.exit_status)
  }

  function learnStatus(status: unknown): void {
    if (textOf(status)) setOutcome(run, kindOf(status as string), status as string)
  }

  /** Newer versions record what each answer cost, older ones only the sum. */
  function emitUsage(extra: Json): void {
    const response = objectOf(extra.response)
    const usage = usageOf(response.usage)
    const cost = numberOf(extra.cost) ?? share
    told += cost
    const model = textOf(response.model)
    if (model) run.model = model
    emitSpent(emit, { ...usage, ...(cost > 0 && { cost }) }, undefined, run.model)
  }

  function readAnswer(message: Json): void {
    if (Array.isArray(message.tool_calls)) emitChat(message, emit)
    else {
      emit({ type: 'turn-start' })
      const { words, command } = splitCommand(contentOf(message.content))
      if (words !== '') emit({ type: 'text', text: words })
      isWaiting = true
      // an answer without a command is refused, and the refusal is what comes back
      emit({ type: 'tool-call', id: `call-${++calls}`, name: 'bash', args: { command } })
    }
    emitUsage(objectOf(message.extra))
  }

  function take(message: Json): undefined {
    const content = contentOf(message.content)
    if (message.role === 'assistant') readAnswer(message)
    if (message.role === 'tool') emitTool(message, emit)
    if (message.role === 'exit') learnStatus(objectOf(message.extra).exit_status)
    if (message.role !== 'user') return
    if (!isWaiting) {
      const text = requestIn(content)
      if (text !== undefined) emit({ type: 'prompt', text })
      return
    }
    isWaiting = false
    const code = RETURN_CODE.exec(content)?.[1]
    const isError = code === undefined ? {} : { isError: code !== '0' }
    emit({ type: 'tool-result', id: `call-${calls}`, output: content, ...isError })
  }

  /** What was paid for answers that are not among the messages. */
  function end(): undefined {
    const rest = total - told
    // less is a matter of rounding
    if (rest > 1e-9) emitSpent(emit, { ...spent(0, 0, 0), cost: rest }, undefined, run.model)
  }

  return { take, learn, end }
}

/** An exit status is `Submitted` or the name of an exception. */
function kindOf(status: string): Outcome['kind'] {
  if (status === 'Submitted') return 'finished'
  if (/Limit|Timeout|TimeExceeded|ContextWindow/.test(status)) return 'limit'
  return /Interrupt/.test(status) ? 'aborted' : 'failed'
}

/** The words of an answer and the command in its first fence. */
function splitCommand(content: string): { words: string; command: string } {
  const fence = FENCE.exec(content)
  const start = fence ? fence.index + fence[0].length : 0
  const end = fence ? content.indexOf('\n```', start - 1) : -1
  if (!fence || end < 0) return { words: content, command: '' }
  return { words: content.slice(0, fence.index).trim(), command: content.slice(start, end).trim() }
}

function emitTool(message: Json, emit: Emit): void {
  const { returncode } = objectOf(message.extra)
  emitChat(message, (event) => {
    const isResult = event.type === 'tool-result' && typeof returncode === 'number'
    emit(isResult ? { ...event, isError: returncode !== 0 } : event)
  })
}

const contentOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map((part) => textOf(objectOf(part).text) ?? '')
        .join('\n')
