import type { TranscriptItem } from '@unloop/transcripts'
import type { AgentEvent } from 'unloop'

// a line of a report; who needs all of it has the transcript
const LENGTH = 200

/** An event in one line, for a person. */
export function evidenceOf({ event, line }: TranscriptItem): { line: number; text: string } {
  return { line, text: clip(describe(event)) }
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

/** A value as text, without writing out more of it than is shown. */
function show(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value.slice(0, 2 * LENGTH)
  return (
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'string' ? inner.slice(0, LENGTH) : inner,
    ) ?? ''
  )
}

function clip(text: string): string {
  const line = text
    .slice(0, 4 * LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > LENGTH ? `${line.slice(0, LENGTH - 1)}…` : line
}
