/** Lets nobody wait for something that is slow or gone. */
export interface Breaker {
  /** Does it, but fails if it takes too long, and at once for a while after that. */
  run<Value>(work: () => Promise<Value>): Promise<Value>
  readonly isClosed: boolean
}

export function createBreaker(timeoutMs: number, pauseMs: number, now = Date.now): Breaker {
  let openUntil = 0

  function late(reject: (error: Error) => void): void {
    openUntil = now() + pauseMs
    reject(new Error(`no answer within ${timeoutMs} ms`))
  }

  return {
    run(work) {
      if (now() < openUntil) return Promise.reject(new Error('it did not answer before'))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(late, timeoutMs, reject)
        work()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      })
    },
    get isClosed() {
      return now() >= openUntil
    },
  }
}
