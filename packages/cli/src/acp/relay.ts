import type { Readable, Writable } from 'node:stream'

/** Who looks at the lines of one direction. None of this may throw. */
export interface Side {
  /** Whether a line that starts like this may be held back or changed; nothing if it takes more of the line to tell. */
  isOurs(head: Buffer): boolean | undefined
  /** What goes on in place of a line that may be ours: the line itself, another, or nothing. */
  take(line: Buffer): Buffer | undefined
  /** Shows a line that has gone on, and its size; of a long one, only the first part. */
  watch(line: Buffer, size: number): void
}

/** One direction of the traffic. */
export interface Relay {
  /** Puts a line between two others. */
  insert(line: string | Buffer): void
  /** settles when everything was handed on, or nobody is left to take it */
  readonly done: Promise<void>
}

/** How much of a line is looked at: to read that much takes about a millisecond. */
export const MAX_WATCHED = 128 * 1024
/** How much of a line decides what it is; the method of a message stands at its start. */
export const HEAD = 512
// a line that is cut there is complete before this is over, or its sender has stalled
const HELD_MS = 2
const NEWLINE = 10

/** Hands on bytes as they come: whole lines and parts of lines, except for lines that may be ours. */
export function createRelay(from: Readable, to: Writable, side: Side): Relay {
  /** the line that is coming in */
  let pieces: Buffer[] = []
  let size = 0
  /** its start has gone on, so its end must */
  let isPassing = false
  let timer: NodeJS.Timeout | undefined
  let isFull = false
  const waiting: (string | Buffer)[] = []

  function write(bytes: string | Buffer): void {
    if (to.destroyed || to.write(bytes) || isFull) return
    isFull = true
    from.pause()
    to.once('drain', () => {
      isFull = false
      from.resume()
    })
  }

  function add(piece: Buffer): void {
    size += piece.length
    if (!isPassing || size <= MAX_WATCHED) pieces.push(piece)
  }

  const line = () => (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces))

  function head(): Buffer {
    const [first = Buffer.alloc(0)] = pieces
    const start = pieces.length === 1 || first.length >= HEAD ? first : line()
    return start.subarray(0, HEAD)
  }

  /** Lets the line pass, with what was held back of it. */
  function release(held = pieces): void {
    clearTimeout(timer)
    timer = undefined
    for (const piece of held) write(piece)
    isPassing = size > 0
  }

  function endLine(): void {
    clearTimeout(timer)
    timer = undefined
    pieces = []
    size = 0
    isPassing = false
  }

  function take(chunk: Buffer): void {
    /** what comes from here on has not gone on */
    let start = 0
    const gone: [line: Buffer, size: number][] = []

    function pass(end: number): void {
      if (end > start)
        write(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end))
      start = end
      for (const [line, size] of gone.splice(0)) side.watch(line, size)
    }

    for (let begin = 0, end = 0; begin < chunk.length; begin = end) {
      const at = chunk.indexOf(NEWLINE, begin)
      const isWhole = at >= 0
      end = isWhole ? at + 1 : chunk.length
      add(chunk.subarray(begin, end))
      if (!isPassing) {
        const isOurs = size > MAX_WATCHED ? false : side.isOurs(head())
        if (isOurs === false) {
          if (!isWhole || pieces.length > 1) release(pieces.slice(0, -1))
        } else {
          pass(begin)
          start = end
          if (isWhole) {
            const instead = side.take(line())
            endLine()
            if (instead) write(instead)
          } else if (isOurs === undefined) {
            timer ??= setTimeout(release, HELD_MS)
          }
          continue
        }
      }
      if (!isWhole) continue
      gone.push([line().subarray(0, MAX_WATCHED), size])
      endLine()
      if (waiting.length === 0) continue
      pass(end)
      for (const line of waiting.splice(0)) write(line)
    }
    pass(chunk.length)
  }

  const done = new Promise<void>((resolve) => {
    const end = () => {
      if (!isPassing) release()
      endLine()
      resolve()
    }
    from.on('data', take)
    from.once('end', end)
    from.once('error', end)
    from.once('close', end)
    const leave = () => {
      from.destroy()
      resolve()
    }
    to.once('error', leave)
    to.once('close', leave)
  })

  return {
    insert(line) {
      if (isPassing) waiting.push(line)
      else write(line)
    },
    done,
  }
}
