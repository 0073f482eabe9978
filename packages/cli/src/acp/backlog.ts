/** Work that is done beside the traffic, in order. */
export interface Backlog {
  /** Does this later; `isDispensable` work is left out while there is too much of it. */
  add(size: number, isDispensable: () => boolean, work: () => void): void
  /** Does all of it now. */
  finish(): void
}

// how long the traffic may have to wait, in milliseconds
const SLICE_MS = 2
// a burst of updates, as when a session is loaded; more than this is a flood that nobody reads
const MAX_BYTES = 16 * 2 ** 20

/** A backlog that lets the traffic pass between two pieces of work. */
export function createBacklog(): Backlog {
  let items: { size: number; work: () => void }[] = []
  let next = 0
  let bytes = 0
  let isScheduled = false

  function doNext(): void {
    const item = items[next++]
    if (next === items.length) {
      items = []
      next = 0
    }
    if (!item) return
    bytes -= item.size
    item.work()
  }

  function doSlice(): void {
    isScheduled = false
    const end = performance.now() + SLICE_MS
    while (items.length > 0 && performance.now() < end) doNext()
    schedule()
  }

  function schedule(): void {
    if (isScheduled || items.length === 0) return
    isScheduled = true
    setImmediate(doSlice)
  }

  return {
    add(size, isDispensable, work) {
      if (bytes > MAX_BYTES && isDispensable()) return
      bytes += size
      items.push({ size, work })
      schedule()
    },
    finish() {
      while (items.length > 0) doNext()
    },
  }
}
