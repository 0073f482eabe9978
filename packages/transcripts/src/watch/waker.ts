import { setTimeout as sleep } from 'node:timers/promises'

/** A pause that can be cut short. */
export interface Waker {
  /** Ends the pause, or the next one if there is none now. */
  wake(): void
  /** Waits to be woken, but no longer than `mostMs`, and at least `leastMs`; false if the signal came. */
  pause(mostMs: number, leastMs?: number): Promise<boolean>
}

export function createWaker(signal: AbortSignal): Waker {
  let isAwake = false
  let end: (() => void) | undefined
  return {
    wake() {
      isAwake = true
      end?.()
    },
    async pause(mostMs, leastMs = 0) {
      if (leastMs > 0) await sleep(leastMs, undefined, { signal }).catch(() => {})
      if (!isAwake && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, mostMs)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
          signal.addEventListener('abort', end, { once: true })
        })
        if (end) signal.removeEventListener('abort', end)
        end = undefined
      }
      isAwake = false
      return !signal.aborted
    },
  }
}
