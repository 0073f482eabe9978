import type { Cutter, Take } from './cut.js'

const NEWLINE = 10

/** Cuts a stream into lines, without ever copying a byte twice. */
export function cutLines(take: Take, maxBytes: number): Cutter {
  let parts: Buffer[] = []
  let held = 0
  let start = 0
  let tooLong = false

  /** The part of a line that a chunk ended with. */
  function hold(part: Buffer): void {
    if (part.length === 0) return
    held += part.length
    if (held > maxBytes) {
      tooLong = true
      parts = []
    } else if (!tooLong) {
      // a copy, for the chunk may be a slice of a pool that is used again
      parts.push(Buffer.from(part))
    }
  }

  function release(last: Buffer): void {
    hold(last)
    if (tooLong) take.spoiled(start, `longer than ${Math.round(maxBytes / 2 ** 20)} MB`)
    else take.text(Buffer.concat(parts).toString('utf8'), start, '')
    start += held
    parts = []
    held = 0
    tooLong = false
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
      for (; to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        if (to - from > maxBytes) take.spoiled(start, `longer than ${maxBytes} bytes`)
        else take.text(chunk.toString('utf8', from, to), start, '')
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
