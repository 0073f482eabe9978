import type { Entry } from './history.js'
import { withOutcome } from './outcome.js'
import type { AgentState, SessionHeader } from './session.js'

/** A line of the file of a conversation. */
export type Line =
  | ({ type: 'session'; version: 1 } & SessionHeader)
  | { type: 'entry'; entry: Entry }
  | { type: 'entries'; entries: readonly Entry[] }
  | { type: 'state'; state: AgentState }
  | ({ type: 'summary' } & Gist)

/** What a list shows of a conversation, besides its header; the last line of a file. */
export interface Gist {
  /** the beginning of what the person asked first */
  request: string
  messages: number
}

export const toText = (line: Line): string => `${JSON.stringify(line)}\n`

/** The line, if it is one. */
export function toLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text)
    return isLine(line) ? line : undefined
  } catch {
    return undefined
  }
}

/** Whether it has what we would stumble over without; a type that we do not know is passed over. */
function isLine(line: Partial<Line> | null): line is Line {
  switch (line?.type) {
    case 'session':
      return [line.id, line.model, line.folder].every((text) => typeof text === 'string')
    case 'entry':
      return isEntry(line.entry)
    case 'entries':
      return Array.isArray(line.entries) && line.entries.every(isEntry)
    case 'state':
      return typeof line.state?.guard === 'object' && typeof line.state.usage === 'object'
    case 'summary':
      return typeof line.request === 'string' && typeof line.messages === 'number'
    default:
      return typeof line?.type === 'string'
  }
}

function isEntry(entry: Entry | undefined): entry is Entry {
  const { role, content } = entry?.message ?? {}
  return role === 'user' ? typeof content === 'string' : Array.isArray(content)
}

/** An entry of a file; one of an earlier version gets what is missing. */
export function toEntry(entry: Entry): Entry {
  const { message } = entry
  if (message.role !== 'tool') return entry
  return { ...entry, message: { ...message, content: message.content.map(withOutcome) } }
}
