// a frame is 16 ms; the rest of it belongs to the keyboard
const BUDGET_MS = 8

/** Work that is done in the frames to come, a little in each, the newest first. */
export function createPainter(onFrame: () => void) {
  const waiting: (() => boolean)[] = []
  let isPlanned = false

  function plan() {
    if (isPlanned || waiting.length === 0) return
    isPlanned = true
    requestAnimationFrame(paint)
  }

  function paint() {
    isPlanned = false
    const end = performance.now() + BUDGET_MS
    do {
      const work = waiting.at(-1)
      if (!work) break
      if (!work()) waiting.splice(waiting.indexOf(work), 1)
    } while (performance.now() < end)
    onFrame()
    // what was typed meanwhile comes first
    setTimeout(plan)
  }

  return {
    /** Calls it again and again, until it says that nothing is left. */
    add(work: () => boolean) {
      if (!waiting.includes(work)) waiting.push(work)
      plan()
    },
    clear() {
      waiting.length = 0
    },
  }
}
