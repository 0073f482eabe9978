import { type Cutter, type Take, tooLong } from './cut.js'
import { toText } from './to-text.js'

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
// stands for a key that is longer than a record may be
const TOO_LONG = '…'
// the byte order mark that a file may begin with
const MARK = [0xef, 0xbb, 0xbf]

/**
 * Cuts one JSON document into records without parsing it as a whole: the elements of a root array; of a
 * root object its members, and of a member that is an array its elements.
 */
export function cutDocument(take: Take, maxBytes: number): Cutter {
  let depth = 0
  let inText = false
  let escaped = false
  /** the depth at which records stand: 1, or 2 within a member of the root that is an array */
  let level = 0
  let rootIsObject = false
  let key = ''
  /** where the record that is open begins, counted from the first byte of all */
  let recordStart = -1
  let parts: Buffer[] = []
  let held = 0
  let position = 0

  function finish(chunk: Buffer, from: number, to: number): void {
    const size = held + to - from
    const start = recordStart
    recordStart = -1
    if (size > maxBytes) take.spoiled(start, tooLong(maxBytes))
    else {
      const text =
        held > 0
          ? toText(Buffer.concat([...parts, chunk.subarray(from, to)]))
          : toText(chunk, from, to)
      take.text(text, start, key)
    }
    parts = []
    held = 0
  }

  /** The key that stands between its quotes, as it is written; keys we know have no escapes. */
  function nameKey(chunk: Buffer, from: number, to: number): void {
    const isTooLong = held + to - from > maxBytes
    const text = isTooLong
      ? ''
      : Buffer.concat([...parts, chunk.subarray(from, to)]).toString('utf8')
    key = isTooLong ? TOO_LONG : text.trim().slice(1, -1)
    parts = []
    held = 0
    recordStart = -1
  }

  function openRoot(byte: number): void {
    depth = 1
    level = 1
    rootIsObject = byte === OPEN_OBJECT
    key = ''
    recordStart = -1
  }

  /** What stands between documents is one bad record, however long it is. */
  function spoilRest(start: number): void {
    take.spoiled(start, 'not part of a JSON document')
    recordStart = start
  }

  /** Where the text that is open has its last quote, or the length of the chunk if it continues in the next. */
  function endOfText(chunk: Buffer, from: number): number {
    let i = escaped ? from + 1 : from
    escaped = false
    while (i < chunk.length) {
      const byte = chunk[i]
      if (byte === QUOTE) return i
      i += byte === BACKSLASH ? 2 : 1
    }
    escaped = i > chunk.length
    return chunk.length
  }

  function push(chunk: Buffer): void {
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      if (inText) {
        i = endOfText(chunk, i)
        inText = i === chunk.length
        continue
      }
      const byte = chunk[i] as number
      if (byte <= 32) continue
      const isOpening = byte === OPEN_OBJECT || byte === OPEN_LIST
      const isClosing = byte === CLOSE_OBJECT || byte === CLOSE_LIST
      if (depth === 0) {
        if (isOpening) openRoot(byte)
        else if (recordStart < 0 && byte !== MARK[position + i]) spoilRest(position + i)
        continue
      }
      if (depth === level) {
        if (byte === COMMA || isClosing) {
          if (recordStart >= 0) finish(chunk, from, i)
          if (isClosing) {
            depth--
            level = depth
          }
          if (rootIsObject && level === 1) key = ''
          continue
        }
        if (byte === COLON && rootIsObject && level === 1) {
          nameKey(chunk, from, i)
          continue
        }
        if (recordStart < 0) {
          if (byte === OPEN_LIST && rootIsObject && level === 1) {
            depth = 2
            level = 2
            continue
          }
          recordStart = position + i
          from = i
        }
      }
      if (byte === QUOTE) inText = true
      else if (isOpening) depth++
      else if (isClosing) depth--
    }
    if (recordStart >= 0 && depth > 0) {
      const rest = chunk.subarray(from)
      held += rest.length
      if (held <= maxBytes) parts.push(Buffer.from(rest))
      else parts = []
    }
    position += chunk.length
  }

  return {
    push,
    end() {
      if (depth > 0)
        take.spoiled(Math.max(0, recordStart), 'the document ends before it is complete')
    },
  }
}
