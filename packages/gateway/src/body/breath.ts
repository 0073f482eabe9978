/** Lets others have the event loop while something takes long. */
export interface Breath {
  /** enough was done at once */
  readonly isDue: boolean
  /** Resolves when others had their turn. */
  take(): Promise<void>
}

// a tenth of what a first byte may come later
const MOST_MS = 2

export function createBreath(): Breath {
  let from = performance.now()
  return {
    get isDue() {
      return performance.now() - from > MOST_MS
    },
    async take() {
      await new Promise((resolve) => setImmediate(resolve))
      from = performance.now()
    },
  }
}
