import type { AgentEvent } from 'unloop'

// The events of a stream are the same but for a few characters of text. Parsing all of each is most of what listening costs, so the
// bytes around the text are compared with those of the event before.

/** An event whose text may change. */
export interface Frame {
  /** The event in these bytes; undefined if more than its text is different. It is the same object each time. */
  read(line: Buffer): object | undefined
}

// in the place of the text, to see whether it is where it seems to be
const PROBE = 'unloop-probe'
const MAX_DEPTH = 8

/** The frame of an event that said nothing but a text; undefined if it cannot be told where in the event that is. */
export function toFrame(
  line: Buffer,
  said: object,
  events: readonly AgentEvent[],
): Frame | undefined {
  const [event] = events
  if (events.length !== 1 || (event?.type !== 'text' && event?.type !== 'reasoning')) return
  const quoted = JSON.stringify(event.text)
  const at = line.indexOf(quoted)
  if (at < 0 || line.indexOf(quoted, at + 1) >= 0) return
  const head = Buffer.from(line.subarray(0, at + 1))
  const tail = Buffer.from(line.subarray(at + Buffer.byteLength(quoted) - 1))
  const holder = findHolder(said, event.text)
  if (!holder || !isThere(head, tail, said, holder)) return
  const { owner, field } = holder

  return {
    read(other) {
      const end = other.length - tail.length
      if (end < head.length || other.compare(head, 0, head.length, 0, head.length) !== 0) return
      if (other.compare(tail, 0, tail.length, end) !== 0) return
      for (let i = head.length; i < end; i++) {
        const byte = other[i] as number
        // a quotation mark, a backslash, or a character that JSON does not allow
        if (byte === 34 || byte === 92 || byte < 32) return
      }
      owner[field] = other.toString('utf8', head.length, end)
      return said
    },
  }
}

interface Holder {
  owner: Record<string, unknown>
  field: string
  path: string[]
}

/** The only member with this text. */
function findHolder(root: object, text: string): Holder | undefined {
  const found: Holder[] = []
  const search = (owner: Record<string, unknown>, path: string[]): void => {
    if (path.length > MAX_DEPTH) return
    for (const [field, value] of Object.entries(owner)) {
      if (value === text) found.push({ owner, field, path: [...path, field] })
      else if (typeof value === 'object' && value !== null)
        search(value as Record<string, unknown>, [...path, field])
    }
  }
  search(root as Record<string, unknown>, [])
  return found.length === 1 ? found[0] : undefined
}

/** Whether another text between these bytes is another text at this place, and nothing else. */
function isThere(
  head: Buffer,
  tail: Buffer,
  said: object,
  { owner, field, path }: Holder,
): boolean {
  try {
    const probed = JSON.parse(Buffer.concat([head, Buffer.from(PROBE), tail]).toString('utf8', 5))
    const value = path.reduce(
      (part: unknown, name) => (part as Record<string, unknown>)[name],
      probed,
    )
    if (value !== PROBE) return false
    const text = owner[field]
    owner[field] = PROBE
    const isSame = JSON.stringify(said) === JSON.stringify(probed)
    owner[field] = text
    return isSame
  } catch {
    return false
  }
}
