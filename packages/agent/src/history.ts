import {
  type CallOutcome,
  type CallPart,
  callsOf,
  type Message,
  type ResultPart,
} from './message.js'
import { NOT_RUN, UNKNOWN } from './outcome.js'

/** A message with the numbers of the guard's first and last event that made it. */
export interface Entry {
  message: Message
  first: number
  last: number
}

/** The chat so far; entries are never changed, only added and taken away. */
export interface History {
  readonly entries: readonly Entry[]
  readonly length: number
  append(entry: Entry): void
  /** Drops everything from this index on. */
  truncate(length: number): void
  /** Drops what the events from this number on have made; what the person said stays. */
  cutFrom(event: number): void
  /** Puts other entries in the place of all. */
  replace(entries: readonly Entry[]): void
  /** The messages as a model may be sent them. */
  toMessages(): Message[]
}

/** A history that tells `onChange` of all but additions, and `onAppend` of those. */
export function createHistory(
  initial: readonly Entry[] = [],
  onAppend: (entry: Entry) => void = () => {},
  onChange: (entries: readonly Entry[]) => void = () => {},
): History {
  let entries = [...initial]
  function become(next: Entry[]) {
    if (next.length === entries.length) return
    entries = next
    onChange(entries)
  }
  return {
    get entries() {
      return entries
    },
    get length() {
      return entries.length
    },
    append(entry) {
      entries.push(entry)
      onAppend(entry)
    },
    truncate: (length) => become(entries.slice(0, length)),
    cutFrom: (event) => become(entries.filter((_, index) => !isMadeFrom(entries, index, event))),
    replace(next) {
      entries = [...next]
      onChange(entries)
    },
    toMessages: () => curate(entries.map(({ message }) => message)),
  }
}

/** Whether the entry is made by events from this number on: itself, or what came of its calls. */
function isMadeFrom(entries: readonly Entry[], index: number, event: number): boolean {
  const { message, last } = entries[index] as Entry
  if (isSaid(message)) return false
  const next = entries[index + 1]
  const answered = callsOf(message).length > 0 && next?.message.role === 'tool' ? next.last : last
  return answered >= event
}

/** Whether these are the person's own words. */
export const isRequest = (message: Message) => message.role === 'user' && !message.from

const isSaid = (message: Message) => message.role === 'user' && message.from !== 'guard'

/** The messages without stray results, and with an answer to every call. */
export function curate(messages: readonly Message[]): Message[] {
  const filled = messages.filter(({ role, content }) => role !== 'assistant' || content.length > 0)
  return filled.flatMap((message, index) => {
    // told with the calls they answer
    if (message.role === 'tool') return []
    const calls = callsOf(message)
    if (calls.length === 0) return message
    const next = filled[index + 1]
    const results = next?.role === 'tool' ? next.content : []
    const content = calls.map(
      (call) => results.find(({ id }) => id === call.id) ?? toResult(call, UNKNOWN, 'stopped'),
    )
    return [message, { role: 'tool', content }]
  })
}

/** Results for calls of a turn that was given up before any of them was run. */
export const notRun = (calls: readonly CallPart[]): ResultPart[] =>
  calls.map((call) => toResult(call, NOT_RUN, 'skipped'))

const toResult = ({ id, name }: CallPart, output: string, outcome: CallOutcome): ResultPart => ({
  type: 'tool-result',
  id,
  name,
  output,
  isError: true,
  outcome,
})
