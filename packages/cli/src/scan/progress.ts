import type { Output } from '../host.js'
import { plural } from '../words.js'
import { showMs } from './amounts.js'

/** A line at the bottom of the terminal that says how far a scan is. */
export interface Progress {
  add(bytes: number): void
  found(): void
  /** Takes the line away. */
  clear(): void
}

// often enough to look alive, seldom enough to cost nothing
const REDRAW_MS = 100
const WIDTH = 24

/** Progress over so many bytes in so many files; nothing is drawn where there is no terminal. */
export function createProgress(
  err: Output,
  files: number,
  bytes: number,
  now = performance.now.bind(performance),
): Progress {
  const started = now()
  let drawn = 0
  let read = 0
  let done = 0
  let loops = 0
  function draw() {
    if (!err.isTerminal || now() - drawn < REDRAW_MS) return
    drawn = now()
    const share = bytes === 0 ? done / files : read / bytes
    const elapsed = drawn - started
    const rate = elapsed === 0 ? 0 : read / elapsed / 1000
    const left = share > 0 ? ` ${showMs((elapsed / share) * (1 - share))} left,` : ''
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    err.write(
      `\r\x1b[K${bar} ${done} of ${plural(files, 'file')}, ${rate.toFixed(0)} MB/s,${left} ${plural(loops, 'loop')}`,
    )
  }
  return {
    add(more) {
      read += more
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
