import { toMarkdown } from '@unloop/transcripts'
import { redact } from 'unloop/redact'
import type { WatchedLoop } from './found.js'

/** A text to be shown, and the lines of it that matter, from 1. */
export interface ShownDocument {
  text: string
  first: number
  last: number
}

/** The session of a loop for people to read, with the loop marked; secrets are left out. */
export async function toDocument({ finding, place }: WatchedLoop): Promise<ShownDocument> {
  const { path, session, since, line } = place
  const mark = { firstLine: since, lastLine: line, note: redact(finding.detail) }
  const { text, lineOf } = await toMarkdown(path, {
    ...{ around: since, marks: [mark], clean: redact },
    ...(session !== '' && { session }),
  })
  return { text, first: lineOf(since), last: lineOf(line) }
}
