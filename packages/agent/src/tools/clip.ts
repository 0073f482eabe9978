/** A text that may be endless, of which the beginning and the end are kept. */
export interface Clip {
  add(text: string): void
  toString(): string
}

// the command is echoed at the beginning and the errors are summed up at the end; together about 5,000 tokens
const HEAD = 8000
const TAIL = 12_000

/** An empty clip. */
export function createClip(): Clip {
  let head = ''
  let tail = ''
  let length = 0
  return {
    add(text) {
      length += text.length
      const room = HEAD - head.length
      head += text.slice(0, room)
      tail = (tail + text.slice(room)).slice(-TAIL)
    },
    toString() {
      const missing = length - head.length - tail.length
      return missing > 0 ? `${head}\n[${missing} characters left out]\n${tail}` : head + tail
    },
  }
}
