/** Lets others have the event loop while something takes long. All work of a process shares one, so that much of it is no longer at once. */
export interface Breath {
  /** enough was done at once */
  readonly isDue: boolean
  /** Resolves when others had their turn: those who wait go on one after the other. */
  take(): Promise<void>
}

// a tenth of what a first byte may come later
const MOST_MS = 2

export function createBreath(): Breath {
  const waiting: (() => void)[] = []
  let from = 0
  /** the end of this turn of the event loop will be noticed */
  let isWatched = false

  function watch(): void {
    isWatched = true
    from = performance.now()
    setImmediate(next)
  }

  function next(): void {
    isWatched = false
    waiting.shift()?.()
    if (waiting.length > 0) watch()
  }

  return {
    get isDue() {
      if (isWatched) return performance.now() - from > MOST_MS
      watch()
      return false
    },
    take() {
      if (!isWatched) watch()
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
