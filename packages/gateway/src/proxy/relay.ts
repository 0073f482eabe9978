import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** Looks at an answer while it passes. */
export interface Tap {
  /** What the client gets for a piece of the answer; with `isLast`, the answer ends with it. */
  pass(chunk: Buffer): Passed
  /** The answer is complete; what is kept back until now is the rest of it. */
  end(): Promise<Buffer | undefined> | undefined
  /** The answer broke off, or the client went away. */
  fail(): void
}

export interface Passed {
  bytes: Buffer | undefined
  isLast?: boolean
  /** Looks at what has been passed on; gives an ending if the answer has to end after it. */
  look?(): Buffer | undefined
}

const UNTOUCHED: Tap = {
  pass: (bytes) => ({ bytes, look: () => undefined }),
  end: () => undefined,
  fail() {},
}

/**
 * Passes an answer on, piece by piece and not faster than the client reads. If the upstream breaks off, so does the answer; if the
 * client goes away, the upstream is told. `source` is the answer itself, or what it decodes to.
 */
export function relay(
  request: ClientRequest,
  answer: IncomingMessage,
  response: ServerResponse,
  tap: Tap = UNTOUCHED,
  source: Readable = answer,
): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false
    let hasEnded = false
    let isFirst = true
    let pieces: Buffer[] = []

    function over(isWhole: boolean): void {
      if (isOver) return
      isOver = true
      if (!isWhole) {
        tap.fail()
        request.destroy()
        response.destroy()
      }
      resolve()
    }

    function finish(): void {
      if (isOver) return
      // trailers are end to end; without a trailer header they cannot be announced, and no provider has them
      response.end(() => over(true))
    }

    async function complete(): Promise<void> {
      const rest = await tap.end()
      if (rest && !isOver) response.write(rest)
      finish()
    }

    /** Passes on what has come in this tick: one read of the network is hundreds of small pieces, and each write costs. */
    function flush(): void {
      const [first] = pieces
      if (isOver || !first) return
      const whole = pieces.length === 1 ? first : Buffer.concat(pieces)
      pieces = []
      const { bytes, isLast, look } = tap.pass(whole)
      let isFull = bytes !== undefined && !response.write(bytes)
      // Node would send it after all that has been read is heard
      if (look) response.socket?.uncork()
      const ending = look?.()
      if (ending) isFull = !response.write(ending)
      if (isLast || ending) {
        source.removeAllListeners('data')
        request.destroy()
        hasEnded = true
        void complete()
      } else if (isFull) source.pause()
    }

    source.on('data', (chunk: Buffer) => {
      if (pieces.push(chunk) > 1) return
      // nobody waits for the first byte
      if (isFirst) flush()
      else process.nextTick(flush)
      isFirst = false
    })
    response.on('drain', () => source.resume())
    source.once('end', () => {
      flush()
      if (!hasEnded) void complete()
    })
    answer.once('aborted', () => !isEnding(response) && over(false))
    source.once('error', () => !isEnding(response) && over(false))
    response.once('close', () => over(response.writableFinished))
  })
}

/** We ended it ourselves, so that the upstream has nothing more to say. */
const isEnding = (response: ServerResponse) => response.writableEnded
