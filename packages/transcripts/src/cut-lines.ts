import { type Cutter, type Take, tooLong } from './cut.js'
import type { Shortcuts } from './format.js'
import { toText } from './to-text.js'

const NEWLINE = 10
const CLOSE_OBJECT = 125
const HEAD = 200
// what is saved must be worth a search
const WORTHWHILE = 300

/** Cuts a stream into lines, without ever copying a byte twice. */
export function cutLines(take: Take, maxBytes: number, shortcuts: Shortcuts = {}): Cutter {
  const unread = shortcuts.unread === undefined ? undefined : Buffer.from(shortcuts.unread)
  let parts: Buffer[] = []
  let held = 0
  let start = 0
  let isTooLong = false

  /** The part of a line that a chunk ended with. */
  function hold(part: Buffer): void {
    if (part.length === 0) return
    held += part.length
    if (held > maxBytes) {
      isTooLong = true
      parts = []
    } else if (!isTooLong) {
      // a copy, for the memory of the chunk is used again
      parts.push(Buffer.from(part))
    }
  }

  function release(last: Buffer): void {
    hold(last)
    if (isTooLong) take.spoiled(start, tooLong(maxBytes))
    else take.text(toText(Buffer.concat(parts)), start, '')
    start += held
    parts = []
    held = 0
    isTooLong = false
  }

  /** A line that stands in one chunk; `cut` is where the next member begins that is never read. */
  function give(chunk: Buffer, from: number, to: number, cut: number): void {
    if (to - from > maxBytes) return take.spoiled(start, tooLong(maxBytes))
    if (to - from > WORTHWHILE) {
      if (shortcuts.skips && isWhole(chunk, to)) {
        const head = chunk.toString('latin1', from, from + HEAD)
        if (shortcuts.skips(head) && isOne(chunk, from, to)) return take.skipped()
      }
      if (cut > from && to - cut > WORTHWHILE && isOne(chunk, cut, to)) {
        const whole = () => toText(chunk, from, to)
        return take.shortened(`${toText(chunk, from, cut)}}`, whole, start)
      }
    }
    take.text(toText(chunk, from, to), start, '')
  }

  return {
    push(chunk) {
      let from = 0
      let to = chunk.indexOf(NEWLINE)
      if (to >= 0 && held > 0) {
        release(chunk.subarray(0, to))
        start++
        from = to + 1
        to = chunk.indexOf(NEWLINE, from)
      }
      let cut = -1
      for (; to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        if (unread && cut < from) {
          cut = chunk.indexOf(unread, from)
          if (cut < 0) cut = chunk.length
        }
        give(chunk, from, to, cut)
        start += to + 1 - from
        from = to + 1
      }
      hold(chunk.subarray(from))
    },
    end() {
      if (held > 0) release(Buffer.alloc(0))
    },
  }
}

/**
 * Whether a line holds one record, as far as can be told at a glance: within a text, the quote after `}{` would be
 * escaped, and a zero is nowhere in JSON.
 */
function isOne(chunk: Buffer, from: number, to: number): boolean {
  const line = chunk.subarray(from, to)
  return line.indexOf(GLUE) < 0 && line.indexOf(0) < 0
}

const GLUE = Buffer.from('}{"')

/** Whether a line ends as an object does; one that breaks off is bad, whatever it is about. */
const isWhole = (chunk: Buffer, to: number) =>
  chunk[to - 1] === CLOSE_OBJECT || chunk[to - 2] === CLOSE_OBJECT
