import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type Entry, isRequest } from './history.js'
import { textOf } from './message.js'
import { readSession, type SessionHeader } from './session.js'
import { type Gist, toLine } from './session-line.js'

/** What a list shows of a saved conversation. */
export interface SessionSummary extends Gist {
  header: SessionHeader
  /** when it was last written, in milliseconds since the epoch */
  changedAt: number
}

// more than the first line has: an id, a name, a model, a folder and a date
const HEAD_BYTES = 16 * 1024
// more than the last line has: a request of this length, in escapes of six bytes at worst
const TAIL_BYTES = 2 * 1024
const MAX_REQUEST = 200

/** What a list shows of the conversation in this file, of which only the first and the last line are read. Throws if it is none. */
export function readSummary(path: string): SessionSummary {
  const { head, tail, changedAt } = readEnds(path)
  const header = toLine(head.slice(0, head.indexOf('\n') + 1))
  const gist = lastGist(tail)
  if (header?.type === 'session' && gist) {
    const { type: _, version: __, ...rest } = header
    return { header: rest, ...gist, changedAt }
  }
  // of an earlier version, or cut off in the middle of a line
  const saved = readSession(path)
  return { header: saved.header, ...gistOf(saved.entries, saved.header), changedAt }
}

/** What a list shows of these entries. */
export function gistOf(entries: readonly Entry[], header: SessionHeader): Gist {
  const first = entries.find(({ message }) => isRequest(message))
  return {
    request: header.request ?? (first ? textOf(first.message).slice(0, MAX_REQUEST) : ''),
    messages: entries.length,
  }
}

/** What the last line says, if it is a summary. */
function lastGist(tail: string): Gist | undefined {
  const end = tail.lastIndexOf('\n')
  const line = toLine(tail.slice(tail.lastIndexOf('\n', end - 1) + 1, end))
  return line?.type === 'summary' ? { request: line.request, messages: line.messages } : undefined
}

function readEnds(path: string) {
  const file = openSync(path, 'r')
  try {
    const { size, mtimeMs } = fstatSync(file)
    const read = (bytes: number, from: number) => {
      const buffer = Buffer.alloc(Math.min(bytes, size))
      return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from))
    }
    return {
      head: read(HEAD_BYTES, 0),
      tail: read(TAIL_BYTES, Math.max(0, size - TAIL_BYTES)),
      changedAt: mtimeMs,
    }
  } finally {
    closeSync(file)
  }
}
