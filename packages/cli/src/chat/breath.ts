import { setImmediate } from 'node:timers/promises'

// one frame of a screen
const FRAME_MS = 16

/**
 * A pause to be called for between events: once a frame it lets others run, so that keys and signals are
 * heard and what happened is drawn, however fast a model is. True if it did.
 */
export function createBreath(): () => Promise<boolean> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < FRAME_MS) return false
    await setImmediate()
    last = performance.now()
    return true
  }
}
