import { plural, showBytes, showMs } from 'unloop/words'
import type { Output } from '../host.js'
import { STATES } from '../words.js'

/** A line at the bottom of the terminal that says how far a scan is. */
export interface Progress {
  /** So much of a file has been read, as it is without packing. */
  reach(path: string, bytes: number): void
  done(path: string): void
  /** An agent was stuck. */
  found(): void
  /** Takes the line away. */
  clear(): void
}

/** How often it is worth telling: often enough to look alive, seldom enough to cost nothing. */
export const REDRAW_MS = 100
const WIDTH = 24

/** Progress over these files; nothing is drawn without a terminal. */
export function createProgress(
  err: Output,
  files: readonly { path: string; bytes: number }[],
  now = performance.now.bind(performance),
): Progress {
  const started = now()
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]))
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0)
  const reached = new Map<string, number>()
  let drawn = 0
  let read = 0
  let done = 0
  let loops = 0
  function move(path: string, to: number) {
    const at = Math.max(0, Math.min(to, sizes.get(path) ?? 0))
    read += at - (reached.get(path) ?? 0)
    reached.set(path, at)
  }
  function draw() {
    if (!err.isTerminal || now() - drawn < REDRAW_MS) return
    drawn = now()
    const share = bytes === 0 ? done / files.length : read / bytes
    const elapsed = drawn - started
    const rate = elapsed === 0 ? 0 : (read / elapsed) * 1000
    const left = share > 0 ? ` ${showMs((elapsed / share) * (1 - share))} left,` : ''
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    err.write(
      `\r\x1b[K${bar} ${done} of ${plural(files.length, 'file')}, ${showBytes(rate)}/s,${left} ${loops} ${STATES.certain}`,
    )
  }
  return {
    reach(path, bytes) {
      move(path, bytes)
      draw()
    },
    done(path) {
      move(path, Number.POSITIVE_INFINITY)
      done++
      draw()
    },
    found() {
      loops++
      draw()
    },
    clear() {
      if (err.isTerminal) err.write('\r\x1b[K')
    },
  }
}
