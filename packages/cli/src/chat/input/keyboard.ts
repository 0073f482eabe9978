import { setImmediate } from 'node:timers/promises'
import { afterReading } from '../after-reading.js'
import { createDecoder } from './decode.js'
import type { Press } from './press.js'

/** The keyboard of a terminal in raw mode. */
export interface Keyboard {
  /** the lines that were typed before it was opened */
  readonly typedAhead: readonly string[]
  /** Hands over what is pressed, as many as came in one read; `onEnd` is called when the terminal is gone. */
  listen(onPresses: (presses: readonly Press[]) => void, onEnd: () => void): void
  close(): void
}

/**
 * Opens the keyboard of a terminal that is in raw mode as of now. Before that Enter was a line end, and from then on the
 * same character is Ctrl+J; so what was typed ahead is taken apart here. A line without its Enter stays to be read.
 */
export async function openKeyboard(stdin: NodeJS.ReadStream): Promise<Keyboard> {
  const decoder = createDecoder()
  let early: Buffer[] = []
  let onBytes = (bytes: Buffer): void => void early.push(bytes)
  let onGone = () => {}
  let cancel = () => {}
  const read = (bytes: Buffer) => onBytes(bytes)
  const end = () => onGone()

  stdin.on('data', read).on('end', end).on('error', end)
  // what waits is read in the next round of the event loop, which may begin after the first of them
  await setImmediate()
  await setImmediate()
  const { lines, rest } = linesOf(Buffer.concat(early))
  early = []

  return {
    typedAhead: lines,
    listen(onPresses, onEnd) {
      const hand = (presses: Press[]) => {
        if (presses.length > 0) onPresses(presses)
      }
      onGone = onEnd
      onBytes = (bytes) => {
        cancel()
        hand(decoder.push(bytes))
        if (decoder.waitMs !== undefined)
          cancel = afterReading(decoder.waitMs, () => hand(decoder.flush()))
      }
      for (const bytes of [rest, ...early]) onBytes(bytes)
    },
    close() {
      cancel()
      // errors of a terminal that is gone can be ignored
      stdin.off('data', read).off('end', end)
      stdin.pause()
      stdin.unref()
    },
  }
}

function linesOf(bytes: Buffer): { lines: string[]; rest: Buffer } {
  const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1
  const decoder = createDecoder()
  const presses = [...decoder.push(bytes.subarray(0, end)), ...decoder.flush()]
  const lines = presses
    .map((press) => {
      if (press.type !== 'key') return press.text
      return press.name === 'enter' || press.name === 'newline' ? '\n' : ''
    })
    .join('')
    .split('\n')
  return { lines: lines.slice(0, -1), rest: bytes.subarray(end) }
}
