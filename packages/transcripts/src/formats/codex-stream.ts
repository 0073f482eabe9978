import { outputOf } from '../anthropic-blocks.js'
import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { createRecent } from '../recent.js'
import { emitSpent, less, type Spent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** Codex without a terminal: what `codex exec --json` prints. */
export const codexStream: RecordFormat = {
  name: 'codex-stream',
  title: 'Codex stream',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  isPrinted: true,
  detect: ({ records }) => records.some(isOurs),
  start: createReader,
}

const isOurs = ({ type, thread_id, item }: Json) =>
  (type === 'thread.started' && textOf(thread_id) !== undefined) ||
  (typeof type === 'string' && /^item\.(?:started|updated|completed)$/.test(type) && isObject(item))

const NOTHING: Spent = { input: 0, cached: 0, output: 0 }
// items that are open at the same time
const OPEN = 256

function createReader(sink: Sink): Reader {
  const run: Run = sink.run({ program: 'codex' })
  const emit = stamp(sink, run, undefined)
  const called = createRecent<true>(OPEN)
  let total = NOTHING

  function readItem(item: Json, isOver: boolean): void {
    const text = textOf(item.text)
    if (item.type === 'agent_message' && isOver && text) return emit({ type: 'text', text })
    if (item.type === 'reasoning' && isOver && text) return emit({ type: 'reasoning', text })
    if (item.type === 'todo_list') return readPlan(item, emit)
    const call = callOf(item)
    if (!call) return
    const id = textOf(item.id) ?? ''
    // some are told only when they are over
    if (!called.get(id)) emit({ type: 'tool-call', id, ...call })
    called.set(id, true)
    if (isOver) emit({ type: 'tool-result', id, ...answerOf(item) })
  }

  /** Tokens are those of the whole thread. */
  function readUsage(usage: Json): void {
    const now = spent(usage.input_tokens, usage.cached_input_tokens, usage.output_tokens)
    emitSpent(emit, now.input < total.input ? now : less(now, total))
    total = now
  }

  return {
    read(line) {
      const thread = textOf(line.thread_id)
      switch (line.type) {
        case 'thread.started':
          if (thread) run.session = thread
          return
        // a turn of Codex is a whole request
        case 'turn.started':
          setOutcome(run, undefined)
          return void emit({ type: 'prompt' })
        case 'item.started':
        case 'item.updated':
        case 'item.completed':
          if (!isObject(line.item)) return 'an item without content'
          return void readItem(line.item, line.type === 'item.completed')
        case 'turn.completed':
          readUsage(objectOf(line.usage))
          setOutcome(run, 'finished', 'turn.completed')
          return void emit({ type: 'turn-end' })
        case 'turn.failed':
          setOutcome(run, kindOfFailure(objectOf(line.error).message), 'turn.failed')
          return void emit({ type: 'turn-end' })
        // what it cannot go on after; a failed connection that is tried again is told as an item
        case 'error':
          return void setOutcome(run, kindOfFailure(line.message), 'error')
      }
    },
  }
}

/** A failure of the service says in words that a limit was reached. */
const kindOfFailure = (message: unknown) =>
  /\b(?:usage|rate|context|token)\b.{0,40}\b(?:limit|exceeded|exhausted)/i.test(
    (textOf(message) ?? '').slice(0, 500),
  )
    ? 'limit'
    : 'failed'

/** What the item calls; undefined if it is not a call. */
function callOf(item: Json): { name: string; args?: unknown } | undefined {
  switch (item.type) {
    case 'command_execution':
      return { name: 'shell', args: { command: bareCommand(textOf(item.command) ?? '') } }
    case 'mcp_tool_call':
      return { name: `${textOf(item.server)}.${textOf(item.tool)}`, args: item.arguments }
    // the paths are told, but not the change: two changes of a file are not the same call
    case 'file_change':
      return { name: 'apply_patch' }
    case 'web_search':
      return { name: 'web_search', args: { query: item.query } }
    case 'collab_tool_call':
      return { name: textOf(item.tool) ?? 'collab', args: { prompt: item.prompt } }
  }
}

function answerOf(item: Json): { output?: unknown; isError?: boolean } {
  const isFailed = item.status === 'failed' || item.status === 'declined'
  switch (item.type) {
    case 'command_execution': {
      const code = numberOf(item.exit_code)
      return { output: item.aggregated_output, isError: isFailed || (code ?? 0) !== 0 }
    }
    case 'mcp_tool_call': {
      const message = textOf(objectOf(item.error).message)
      return { output: message ?? outputOf(objectOf(item.result).content), isError: isFailed }
    }
    case 'file_change': {
      const paths = listOf(item.changes).map((change) => objectOf(change).path)
      return { output: `${item.status}: ${paths.join(', ')}`, isError: isFailed }
    }
    default:
      return { output: item.status ?? '', isError: isFailed }
  }
}

/** A plan is written whole each time. */
function readPlan({ id, items }: Json, emit: Emit): void {
  const named = textOf(id) ? { id: id as string } : {}
  emit({ type: 'tool-call', name: 'update_plan', args: { plan: items }, ...named })
  emit({ type: 'tool-result', output: 'Plan updated', isError: false, ...named })
}

/** `/bin/bash -lc 'ls -l'` is `ls -l`. */
function bareCommand(command: string): string {
  const [, quoted] = SHELL.exec(command) ?? []
  if (quoted === undefined) return command
  if (/^[^\s'"\\$`]+$/.test(quoted) || /^'[^']*'$/.test(quoted)) return quoted.replace(/^'|'$/g, '')
  return /^"(?:[^"\\]|\\.)*"$/s.test(quoted)
    ? quoted.slice(1, -1).replace(/\\(["\\$`])/g, '$1')
    : command
}

const SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c ([\s\S]*)$/
