import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { requestIn } from '../person.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'
import { emitChat } from './openai-chat.js'

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
  start: (sink) => ({ read: createReader(sink) }),
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

function createReader(sink: Sink) {
  let run: Run | undefined
  let tell = createTeller()
  return function read(record: Json, key: string): string | undefined {
    if (key === '' && Array.isArray(record.messages)) {
      const emit = stamp(sink, sink.run({ program: 'mini-swe-agent' }), undefined)
      tell = createTeller()
      for (const message of record.messages) if (isObject(message)) tell(message, emit)
      return
    }
    if (key !== '' && key !== 'messages') return
    if (typeof record.role !== 'string') return 'not a message'
    run ??= sink.run({ program: 'mini-swe-agent' })
    tell(record, stamp(sink, run, undefined))
  }
}

function createTeller() {
  let calls = 0
  let isWaiting = false
  return (message: Json, emit: Emit): void => {
    const content = contentOf(message.content)
    if (message.role === 'assistant') {
      if (Array.isArray(message.tool_calls)) return emitChat(message, emit)
      emit({ type: 'turn-start' })
      const { words, command } = splitCommand(content)
      if (words !== '') emit({ type: 'text', text: words })
      isWaiting = true
      // an answer without a command is refused, and the refusal is what comes back
      emit({ type: 'tool-call', id: `call-${++calls}`, name: 'bash', args: { command } })
      return
    }
    if (message.role === 'tool') return emitTool(message, emit)
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
