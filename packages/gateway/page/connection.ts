import { createEventReader } from './event-stream.js'
import type { Live } from './live.js'

/** What one hears of a connection. */
interface Hears {
  live(live: Live): void
  /** the stream ended or never began, and was last heard at that time; another try follows */
  lost(reason: string, heardAt: number | undefined): void
  /** the token is wrong; no other try follows */
  refused(): void
}

export interface Connection {
  retry(): void
  close(): void
}

// the gateway writes at least every 15 seconds
const SILENCE_MS = 40_000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** Follows the live data, and connects again whenever the connection is lost. */
export function connect(token: string, hears: Hears): Connection {
  let closed = false
  let failures = 0
  let heardAt: number | undefined
  let wake = () => {}
  let abort = () => {}

  async function follow(): Promise<void> {
    while (!closed) {
      const attempt = new AbortController()
      abort = () => attempt.abort()
      const reason = await listen(token, attempt, {
        bytes() {
          heardAt = Date.now()
        },
        live(live) {
          failures = 0
          // later, so that a failure to show it is not taken for a failure to read it
          queueMicrotask(() => closed || hears.live(live))
        },
      })
      if (closed) return
      if (reason === REFUSED) return hears.refused()
      hears.lost(reason, heardAt)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseAfter(failures++))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  const retry = () => wake()
  const seen = () => !document.hidden && wake()
  addEventListener('online', retry)
  document.addEventListener('visibilitychange', seen)
  void follow()

  return {
    retry,
    close() {
      closed = true
      removeEventListener('online', retry)
      document.removeEventListener('visibilitychange', seen)
      abort()
      wake()
    },
  }
}

const REFUSED = 'refused'

/** Reads one stream to its end and says why it ended. */
async function listen(
  token: string,
  attempt: AbortController,
  on: { bytes(): void; live(live: Live): void },
): Promise<string> {
  let silence = 0
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => attempt.abort(), SILENCE_MS)
  }
  heard()
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const { signal } = attempt
    const response = await fetch('/unloop/api/live', { headers, signal, cache: 'no-store' })
    if (response.status === 401) return REFUSED
    if (!response.ok || !response.body)
      return `The gateway answered with status ${response.status}.`
    const read = createEventReader(({ event, data }) => {
      if (event === 'live') on.live(JSON.parse(data) as Live)
    })
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'The gateway ended the connection.'
      heard()
      on.bytes()
      read(decoder.decode(value, { stream: true }))
    }
  } catch {
    return attempt.signal.aborted
      ? 'The gateway has gone silent.'
      : 'The gateway cannot be reached.'
  } finally {
    clearTimeout(silence)
    attempt.abort()
  }
}

/** Twice as long each time; a random part keeps many pages from coming back at once. */
const pauseAfter = (failures: number) =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.75 + Math.random() / 2)
