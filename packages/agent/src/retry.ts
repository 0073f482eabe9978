import type { ModelError } from './model.js'

// after a minute, it is better to tell the person
const MAX_WAIT_MS = 60_000
// half a second, then one, then two: what providers advise, without the jitter a single client does not need
const backoffMs = (attempt: number) => 250 * 2 ** attempt

/** How long to wait before a model that failed is asked again; nothing if that cannot help or takes too long. */
export function waitBeforeRetry(
  { isTemporary, retryAfterMs }: ModelError,
  attempt: number,
  retries: number,
): number | undefined {
  if (!isTemporary || attempt > retries) return
  const waitMs = retryAfterMs ?? backoffMs(attempt)
  return waitMs > MAX_WAIT_MS ? undefined : waitMs
}

/** Whether the time passed without the signal being aborted. */
export function isWaitedFor(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve(!signal.aborted)
    }
    const timer = setTimeout(done, signal.aborted ? 0 : ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
