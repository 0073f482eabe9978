import { callsOf, type Message, type ResultPart } from './message.js'

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
    cutFrom: (event) =>
      become(entries.filter(({ last, message }) => last < event || isSaid(message))),
    replace(next) {
      entries = [...next]
      onChange(entries)
    },
    toMessages: () => curate(entries.map(({ message }) => message)),
  }
}

/** Whether these are the person's own words. */
export const isRequest = (message: Message) => message.role === 'user' && !message.from

const isSaid = (message: Message) => message.role === 'user' && message.from !== 'guard'

const NOT_RUN = 'This call was not run.'

/** The messages without results nobody asked for, and with an answer to every call. */
export function curate(messages: readonly Message[]): Message[] {
  const curated: Message[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const asked = callsOf(curated.at(-1) ?? message)
      const content = message.content.filter(({ id }) => asked.some((call) => call.id === id))
      if (content.length > 0) curated.push({ role: 'tool', content: complete(asked, content) })
      continue
    }
    if (message.role === 'assistant' && message.content.length === 0) continue
    curated.push(message)
    const calls = callsOf(message)
    if (calls.length > 0 && messages[index + 1]?.role !== 'tool') {
      curated.push({ role: 'tool', content: complete(calls, []) })
    }
  }
  return curated
}

function complete(calls: ReturnType<typeof callsOf>, results: readonly ResultPart[]): ResultPart[] {
  return calls.map(
    ({ id, name }) =>
      results.find((result) => result.id === id) ?? {
        type: 'tool-result',
        id,
        name,
        output: NOT_RUN,
        isError: true,
      },
  )
}
