/** Calls back after a while; gives the way to prevent it. */
export type Later = (ms: number, callback: () => void) => () => void

/** The same, and not before what has arrived meanwhile is read, however busy we were. */
export const afterReading: Later = (ms, callback) => {
  let isOff = false
  const timer = setTimeout(() => setImmediate(() => isOff || callback()), ms)
  // a person who is leaving does not wait for it
  timer.unref()
  return () => {
    isOff = true
    clearTimeout(timer)
  }
}
