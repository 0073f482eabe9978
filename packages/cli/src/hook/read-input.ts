import { readSync } from 'node:fs'

// more than any tool answers
const MAX_BYTES = 16_000_000

/** All of the standard input, at once; throws if it is too long to be an event. */
export function readInput(): string {
  const pieces: Buffer[] = []
  let length = 0
  for (;;) {
    const piece = Buffer.allocUnsafe(65_536)
    const count = readPiece(piece)
    if (count === 0) break
    length += count
    // read to the end in any case, or the agent may fail to write it
    if (length <= MAX_BYTES) pieces.push(piece.subarray(0, count))
  }
  if (length > MAX_BYTES) throw new Error(`the event has ${length} bytes and is ignored`)
  return Buffer.concat(pieces).toString('utf8')
}

function readPiece(piece: Buffer): number {
  for (;;) {
    try {
      return readSync(0, piece)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // how Windows says that there is no more
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      // nothing there yet
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}
