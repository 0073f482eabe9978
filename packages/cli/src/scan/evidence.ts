import type { TranscriptItem } from '@unloop/transcripts'
import type { AgentEvent } from 'unloop'
import { isMoment } from './amounts.js'
import type { Evidence, EvidenceKind } from './run-report.js'

// a line of a report; the transcript has the rest
const LENGTH = 200
// so much is looked at: what is taken out of it makes room for what follows
const ROOM = 5 * LENGTH

/** An event for a person, no longer than is needed to `quote` it. */
export function evidenceOf({ event, line, file }: TranscriptItem): Evidence {
  const text = describe(event).slice(0, ROOM + 1)
  const tool = event.type === 'tool-call' || event.type === 'tool-result' ? event.name : undefined
  return {
    line,
    ...(file !== undefined && { file }),
    ...(isMoment(event.at) && { at: event.at }),
    kind: kindOf(event),
    ...(tool !== undefined && { tool }),
    text,
  }
}

function kindOf(event: AgentEvent): EvidenceKind {
  if (event.type === 'tool-result') return event.isError ? 'error' : 'answer'
  return KINDS[event.type] ?? 'other'
}

const KINDS: Partial<Record<AgentEvent['type'], EvidenceKind>> = {
  prompt: 'prompt',
  text: 'text',
  reasoning: 'thought',
  'tool-call': 'call',
  handoff: 'handoff',
}

function describe(event: AgentEvent): string {
  switch (event.type) {
    case 'prompt':
      return `person: ${event.text ?? ''}`
    case 'text':
      return `says: ${event.text}`
    case 'reasoning':
      return `thinks: ${event.text}`
    case 'tool-call':
      return `calls ${event.name}(${show(event.args)})`
    case 'tool-result':
      return `${event.isError ? 'error' : 'answer'}: ${show(event.output)}`
    case 'handoff':
      return `hands over to ${event.to}: ${event.text ?? ''}`
    case 'turn-start':
    case 'turn-end':
    case 'retry':
    case 'usage':
    case 'compaction':
      return event.type
  }
}

/** A value as text, without writing out more of it than is shown, however large or deep it is. */
function show(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  let text = ''
  // every level writes a character, so there are no more levels than there is room
  function write(inner: unknown): void {
    if (typeof inner === 'string') text += JSON.stringify(inner.slice(0, ROOM + 1))
    else if (Array.isArray(inner)) {
      writeAll('[', inner, write, ']')
    } else if (typeof inner === 'object' && inner !== null) {
      const members = Object.entries(inner)
      writeAll('{', members, ([key, member]) => writeMember(key, member), '}')
    } else text += String(inner)
  }
  function writeMember(key: string, member: unknown): void {
    text += `${JSON.stringify(key.slice(0, ROOM))}:`
    write(member)
  }
  function writeAll<T>(open: string, all: readonly T[], one: (inner: T) => void, close: string) {
    text += open
    for (const [index, inner] of all.entries()) {
      if (text.length > ROOM) return
      if (index > 0) text += ','
      one(inner)
    }
    text += close
  }
  write(value)
  return text
}

/** What was said or done, cleaned and cut to a line. */
export function quote(text: string, clean: (text: string) => string): string {
  const cleaned = clean(text.slice(0, ROOM))
  // an address may have been cut in two, and half of one is not known for what it is
  const whole = text.length > ROOM ? cleaned.slice(0, -LENGTH) : cleaned
  const line = whole.replace(/\s+/g, ' ').trim()
  return line.length > LENGTH || text.length > ROOM ? `${line.slice(0, LENGTH - 1)}…` : line
}
