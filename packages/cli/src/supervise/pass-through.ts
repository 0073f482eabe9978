import type { Readable, Writable } from 'node:stream'

/** Bytes on their way from a command to whoever reads our output. */
export interface PassThrough {
  /** settles when there is nothing more to pass on */
  readonly done: Promise<void>
  /** Says that the command is over: what is still in the pipe is passed on, and nobody else is waited for. */
  finish(): void
}

// what the command started may hold its output open for ever; what it has written comes at once
const SILENCE_MS = 500

/**
 * Passes on every byte, as fast as the target takes them, and shows them. A target that is closed closes the source, so that the
 * command finds out as it would without us.
 */
export function passThrough(
  source: Readable,
  target: Writable,
  show: (chunk: Buffer) => void,
): PassThrough {
  let isFinished = false
  let isHeld = false
  let silence: NodeJS.Timeout | undefined

  function listen(): void {
    clearTimeout(silence)
    if (isFinished && !isHeld) silence = setTimeout(() => source.destroy(), SILENCE_MS)
  }

  function release(): void {
    isHeld = false
    source.resume()
    listen()
  }

  const closed = () => void source.destroy()
  target.on('error', closed)
  source.on('data', (chunk: Buffer) => {
    isHeld = !target.write(chunk)
    if (isHeld) {
      source.pause()
      target.once('drain', release)
    }
    listen()
    show(chunk)
  })
  // a pipe that breaks has no more to say
  source.on('error', () => {})
  const done = new Promise<void>((resolve) => {
    source.once('close', () => {
      clearTimeout(silence)
      target.off('error', closed)
      target.off('drain', release)
      resolve()
    })
  })
  return {
    done,
    finish() {
      isFinished = true
      listen()
    },
  }
}
