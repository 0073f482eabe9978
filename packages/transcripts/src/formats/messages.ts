import { modelOf } from '../chat-message.js'
import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, textOf, timeOf } from '../json.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

interface MessagesDefinition {
  name: string
  title: string
  /** the members of an object that hold the list */
  keys: readonly string[]
  isMessage(record: Json): boolean
  /** Whether messages that fit several formats are of this one. */
  isCertain?(records: readonly Json[]): boolean
  /** Makes what tells the messages of one conversation, in order. */
  start(): (message: Json, emit: Emit) => void
}

/**
 * A format that is a list of messages: as a JSON array, as a member of an object, one message a line, or one
 * conversation a line.
 */
export function defineMessages(definition: MessagesDefinition): RecordFormat {
  const { name, title, keys, isMessage } = definition
  const listIn = (record: Json) =>
    keys.flatMap((key) => listOf(record[key]).filter(isObject)).filter(isMessage)
  return {
    name,
    title,
    stage: 'stable',
    container: 'records',
    layouts: ['document', 'lines'],
    detect: ({ records, isArray, layout }) => {
      const isList = layout !== 'document' || isArray
      const own = isList ? records.filter(isMessage) : []
      const found = own.length * 2 > records.length ? own : records.flatMap(listIn)
      return found.length > 0 && (definition.isCertain?.(found) ?? true)
    },
    start: (sink) => createReader(sink, definition),
  }
}

function createReader(sink: Sink, { keys, isMessage, start }: MessagesDefinition): Reader {
  const facts: Json = {}
  let run: Run | undefined
  let tell: ReturnType<typeof start> | undefined

  function take(message: Json, to: Run, teller: ReturnType<typeof start>): void {
    const model = modelOf(message)
    if (model) to.model = model
    teller(message, stamp(sink, to, timeOf(message.timestamp ?? message.ts ?? message.created_at)))
  }

  function read(record: Json, key: string): string | undefined {
    const lists = key === '' ? keys.filter((name) => Array.isArray(record[name])) : []
    if (lists.length > 0 && !isMessage(record)) {
      const whole = sink.run(factsOf(record))
      const teller = start()
      for (const message of lists.flatMap((name) => listOf(record[name])))
        if (isObject(message)) take(message, whole, teller)
      return
    }
    if (key !== '' && !keys.includes(key)) return
    if (!isMessage(record)) return 'not a message'
    run ??= sink.run(factsOf(facts))
    tell ??= start()
    take(record, run, tell)
  }

  return {
    read,
    learn(key, value) {
      if (FACTS.has(key)) facts[key] = value
    },
  }
}

const FACTS = new Set(['id', 'session_id', 'conversation_id', 'model'])

function factsOf(record: Json): Partial<Run> {
  const session = textOf(record.id) ?? textOf(record.session_id) ?? textOf(record.conversation_id)
  const model = textOf(record.model)
  return { ...(session && { session }), ...(model && { model }) }
}
