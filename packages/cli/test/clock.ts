import type { Later } from '../src/chat/after-reading.js'

/** Time that passes when a test says so. */
export function createClock() {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const later: Later = (ms, callback) => {
    const timer = { at: now + ms, callback }
    timers.push(timer)
    return () => {
      timers = timers.filter((each) => each !== timer)
    }
  }
  return {
    later,
    pass(ms: number) {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { callback } of due) callback()
    },
  }
}
