/** Lets nobody wait for something that is slow or gone. */
export interface Breaker {
  /** Does it, but fails if it takes too long, and at once for a while after it did so several times in a row. */
  run<Value>(work: () => Promise<Value>): Promise<Value>
  readonly isClosed: boolean
}

// one late answer may be ours to blame
const MAX_LATE = 3

export function createBreaker(timeoutMs: number, pauseMs: number, now = Date.now): Breaker {
  let late = 0
  let openUntil = 0

  function giveUp(reject: (error: Error) => void): void {
    late++
    if (late >= MAX_LATE) openUntil = now() + pauseMs
    reject(new Error(`no answer within ${timeoutMs} ms`))
  }

  return {
    run(work) {
      if (now() < openUntil) return Promise.reject(new Error('it did not answer before'))
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined
        // a process that was busy itself reads what has come meanwhile first
        const check = () => setImmediate(() => setImmediate(() => timer && giveUp(reject)))
        timer = setTimeout(check, timeoutMs)
        work()
          .then((value) => {
            late = 0
            resolve(value)
          }, reject)
          .finally(() => {
            clearTimeout(timer)
            timer = undefined
          })
      })
    },
    get isClosed() {
      return now() >= openUntil
    },
  }
}
