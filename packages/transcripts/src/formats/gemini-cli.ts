import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { createRewind } from '../rewind.js'
import { stamp } from '../stamp.js'
import type { Run } from '../transcript.js'
import { createMessages } from './gemini-messages.js'

/** Gemini CLI: messages that are written again as they grow, changes of the whole, rewinds; or one JSON document. */
export const geminiCli: RecordFormat = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  stage: 'stable',
  container: 'records',
  layouts: ['lines', 'document'],
  detect: ({ records, isArray }) =>
    !isArray && records.some((record) => textOf(record.sessionId) && textOf(record.projectHash)),
  locations: ({ env, home, join }) => [
    {
      path: join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp'),
      files: /\.jsonl?$(?<=\/chats\/.*)/,
      depth: 4,
    },
  ],
  start: createReader,
}

function createReader(sink: Sink): Reader {
  const run: Run = sink.run({ program: 'gemini-cli' })
  const messages = createMessages()
  const rewind = createRewind()

  function take(message: Json): void {
    learnModel(run, message)
    learnOutcome(run, message)
    const emit = rewind.through(stamp(sink, run, timeOf(message.timestamp), run.agent))
    messages.take(message, emit)
  }

  /** Replaces the history: what is new at its end was said, what is gone was shortened away. */
  function replace(list: readonly unknown[]): void {
    const given = list.filter(isObject)
    const known = given.findLastIndex(({ id }) => messages.has(textOf(id)))
    const fresh = given.slice(known + 1)
    const isShortened = given.length > 0 && !messages.isEmpty && !messages.has(textOf(given[0]?.id))
    if (isShortened) stamp(sink, run, undefined, run.agent)({ type: 'compaction' })
    if (isShortened && known < 0) {
      for (const message of given) messages.pass(message)
      return
    }
    // the last turns were taken back
    if (known >= 0 && messages.endWith(given.map(({ id }) => id))) rewind.mark()
    for (const message of given.slice(0, known + 1)) {
      if (messages.has(textOf(message.id))) take(message)
      else messages.pass(message)
    }
    for (const message of fresh) take(message)
  }

  function read(record: Json, key: string): undefined {
    if (key !== '' && key !== 'messages') return
    if (typeof record.$rewindTo === 'string') {
      messages.rewindTo(record.$rewindTo)
      rewind.mark()
      return
    }
    if (isObject(record.$set)) {
      learn(run, record.$set)
      if (Array.isArray(record.$set.messages)) replace(record.$set.messages)
      return
    }
    if (textOf(record.id) && textOf(record.type)) return void take(record)
    learn(run, record)
    replace(listOf(record.messages))
  }

  return {
    read,
    learn: (key, value) => learn(run, { [key]: key === 'directories' ? [value] : value }),
  }
}

function learn(run: Run, facts: Json): void {
  const session = textOf(facts.sessionId)
  if (session) run.session = session
  const project = textOf(listOf(facts.directories)[0]) ?? textOf(facts.projectHash)
  if (project) run.project = project
  const at = timeOf(facts.startTime)
  if (at !== undefined) run.startedAt ??= at
  if (facts.kind === 'subagent' && session) run.agent = session
}

function learnModel(run: Run, message: Json): void {
  const model = textOf(message.model)
  if (model) run.model = model
}

/** How it ended, if nothing follows: notes to the person stand among the messages. */
function learnOutcome(run: Run, { type, content, toolCalls }: Json): void {
  if (type === 'user') setOutcome(run, undefined)
  else if (type === 'gemini') {
    const isCancelled = listOf(toolCalls).some((call) => objectOf(call).status === 'cancelled')
    setOutcome(run, isCancelled ? 'aborted' : undefined, 'cancelled')
  } else if (type === 'error') {
    const text = textOf(content) ?? 'error'
    setOutcome(
      run,
      /quota|rate limit|exceeded/i.test(text.slice(0, 500)) ? 'limit' : 'failed',
      text,
    )
  } else if (type === 'info' && /^Request cancelled/.test(textOf(content) ?? '')) {
    setOutcome(run, 'aborted', 'Request cancelled')
  }
}
