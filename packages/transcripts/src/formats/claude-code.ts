import { emitAnswer, emitResults } from '../anthropic-blocks.js'
import { brief } from '../brief.js'
import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, numberOf, objectOf, textOf, timeOf } from '../json.js'
import type { Machine } from '../location.js'
import { kindOfStop, setOutcome } from '../outcome.js'
import { requestIn } from '../person.js'
import { createRecent } from '../recent.js'
import { askAgain } from '../rewind.js'
import { count, emitSpent, type Spent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'
import { createTree, type Place } from './claude-tree.js'

/** Claude Code: lines that form a tree, with sub-agents on chains of their own. */
export const claudeCode: RecordFormat = {
  name: 'claude-code',
  title: 'Claude Code',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs),
  locations: (machine) =>
    configFolders(machine).map((folder) => ({
      path: machine.join(folder, 'projects'),
      // a workflow keeps a journal beside the files of its agents
      files: /\.jsonl$(?<!\/journal\.jsonl)/,
      depth: 7,
    })),
  // the answer of a tool a second time, often with the whole file that was edited; it stands last
  shortcuts: {
    unread: ',"toolUseResult":',
    isEnough: ({ uuid, timestamp, message }) =>
      typeof uuid === 'string' && typeof timestamp === 'string' && isObject(message),
  },
  start: (sink) => ({ read: createReader(sink) }),
}

function configFolders({ env, home, config, join }: Machine): string[] {
  // may be several paths, separated by commas
  const given = (env.CLAUDE_CONFIG_DIR ?? '')
    .split(',')
    .map((path) => path.trim())
    .filter(Boolean)
  return given.length > 0 ? given : [join(home, '.claude'), join(config, 'claude')]
}

const BOOKKEEPING = new Set([
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
  'last-prompt',
  'permission-mode',
  'progress',
  'attachment',
])

function isOurs(record: Json): boolean {
  if (textOf(record.leafUuid) && record.type === 'summary') return true
  if (record.type === 'file-history-snapshot' && isObject(record.snapshot)) return true
  if (!textOf(record.sessionId)) return false
  if (BOOKKEEPING.has(record.type as string)) return true
  const { message } = record
  if (record.type === 'system') return 'uuid' in record && 'isSidechain' in record
  if (record.type !== 'user' && record.type !== 'assistant') return false
  return isObject(message) && 'content' in message && ('uuid' in record || 'parentUuid' in record)
}

function createReader(sink: Sink) {
  const tree = createTree()
  /** the answers of late, for each is written in several lines; by agent and message */
  const answers = createRecent<Spent>(256)
  /** the answer that each agent is giving */
  const current = createRecent<string>(64)
  let run: Run | undefined
  let request: string | undefined
  let compacted = false

  function read(line: Json): string | undefined {
    if (line.type === 'assistant' && !isObject(line.message)) return 'an answer without a message'
    const node = tree.add(line)
    // a line that was written twice counts once
    if (node === undefined) return
    run ??= sink.run({ program: 'claude-code' })
    learn(run, line, node.agent)
    if (node.agent === run.agent) learnOutcome(run, line)
    const emit = stamp(sink, run, timeOf(line.timestamp), node.agent)
    if (line.type === 'assistant') return readAnswer(line, node, emit)
    if (line.type === 'user') return readUser(line, emit)
    if (line.type === 'attachment') return readAttachment(objectOf(line.attachment), emit)
    if (line.type === 'system' && isBoundary(line.subtype)) {
      compacted = true
      emit({ type: 'compaction' })
    }
  }

  function readUser(line: Json, emit: Emit): undefined {
    const { content } = objectOf(line.message)
    if (line.isCompactSummary === true) {
      if (!compacted) emit({ type: 'compaction' })
      compacted = false
      return
    }
    if (emitResults(content, emit) || line.isMeta === true) return
    const text = requestIn(content)
    if (text === undefined) return
    if (line.isSidechain !== true) request = text
    emit({ type: 'prompt', text })
  }

  function readAnswer(line: Json, { agent = '', rewound }: Place, emit: Emit): undefined {
    const message = objectOf(line.message)
    const model = textOf(message.model)
    // words of the program, not of a model
    if (line.isApiErrorMessage === true || model === '<synthetic>') return
    if (rewound === 'turn') emit({ type: 'retry' })
    if (rewound === 'further') askAgain(emit, agent ? undefined : request)
    const id = brief(textOf(message.id) ?? textOf(line.requestId) ?? textOf(line.uuid) ?? '')
    const key = agent === '' ? id : `${agent} ${id}`
    const before = answers.get(key)
    if (!before && current.get(agent) !== id) emit({ type: 'turn-start' })
    current.set(agent, id)
    emitAnswer(message.content, emit)
    const cost = numberOf(line.costUSD)
    const usage = { ...usageOf(message.usage), ...(cost !== undefined && cost > 0 && { cost }) }
    emitSpent(emit, usage, before, model)
    answers.set(key, usage)
  }

  return read
}

const isBoundary = (subtype: unknown) =>
  subtype === 'compact_boundary' || subtype === 'microcompact_boundary'

/** What the person said while the model was at work. */
function readAttachment({ type, prompt }: Json, emit: Emit): undefined {
  const text = type === 'queued_command' ? requestIn(prompt) : undefined
  if (text !== undefined) emit({ type: 'prompt', text })
}

function learn(run: Run, line: Json, agent: string | undefined): void {
  const session = textOf(line.sessionId)
  // a continued session begins with a copy of the one before; the last id is its own
  if (session) run.session = session
  const project = textOf(line.cwd)
  if (project) run.project ??= project
  if (run.startedAt === undefined) {
    const at = timeOf(line.timestamp)
    if (at !== undefined) {
      run.startedAt = at
      if (agent !== undefined && textOf(line.agentId)) {
        run.agent = agent
        // a sub-agent writes the id of the session that started it
        if (session) run.parent = session
      }
    }
  }
  if (line.type !== 'assistant') return
  const model = textOf(objectOf(line.message).model)
  if (model && model !== '<synthetic>') run.model = model
}

/** How it ended, if this is its last line; what follows may tell otherwise. */
function learnOutcome(run: Run, line: Json): void {
  const { content, model, stop_reason } = objectOf(line.message)
  if (line.type === 'system') {
    if (line.subtype === 'turn_duration') setOutcome(run, 'finished', 'end_turn')
  } else if (line.type === 'user') {
    const text = startOf(content)
    if (text.startsWith('[Request interrupted')) setOutcome(run, 'aborted', 'interrupted')
    // the output of a command and the like come after the end
    else if (line.isMeta !== true && !text.startsWith('<')) setOutcome(run, undefined)
  } else if (line.type === 'assistant') {
    const reason = textOf(stop_reason)
    if (line.isApiErrorMessage === true) learnError(run, line, startOf(content))
    else if (model !== '<synthetic>') setOutcome(run, kindOfStop(reason), reason)
  }
}

function learnError(run: Run, line: Json, text: string): void {
  const error = textOf(line.error)
  const isLimit = error === 'rate_limit' || error === 'billing_error' || LIMIT.test(text)
  setOutcome(run, isLimit ? 'limit' : 'failed', error ?? text)
}

const LIMIT = /limit reached|hit your [a-z ]{0,20}limit|prompt is too long|credit balance/i

/** The first words of a message. */
function startOf(content: unknown): string {
  const text = Array.isArray(content) ? objectOf(content[0]).text : content
  return typeof text === 'string' ? text.slice(0, 200) : ''
}

/** Anthropic counts what it read from a cache and wrote to it apart from the rest of the input. */
export function usageOf(value: unknown): Spent {
  const usage = objectOf(value)
  const plain = spent(usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens)
  const written = count(usage.cache_creation_input_tokens)
  const writtenHour = count(objectOf(usage.cache_creation).ephemeral_1h_input_tokens)
  return { ...plain, input: plain.input + plain.cached + written, written, writtenHour }
}
