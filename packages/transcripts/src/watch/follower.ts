import { followWith } from '../follow.js'
import type { Run, TranscriptItem } from '../transcript.js'
import type { WatchOptions } from '../watch.js'
import { createSessions, isInDatabase, type Sessions, type Told } from './sessions.js'
import { createWaker } from './waker.js'

/** What of a transcript is not news. */
export interface Beginning {
  /** what happened since then is news */
  newsSince: number
  /** what has no time is news from this byte on */
  newsFrom: number
  /** how far its runs were told when it was followed before */
  told: ReadonlyMap<string, Told>
}

/** A transcript that is followed. */
export interface Follower {
  /** `over`: it can be followed no further, which a write may change; `dropped`: it is of no interest; `left`: we stopped it */
  ended: Promise<'over' | 'dropped' | 'left'>
  readonly isCaughtUp: boolean
  sessions: Sessions
  /** It was written to. */
  wake(): void
  stop(): void
}

export interface FollowerOptions extends WatchOptions {
  silentMs: number
  onGrow(): void
}

// where nobody tells that a transcript has grown
const POLL_MS = 1000

export function createFollower(
  path: string,
  beginning: Beginning,
  options: FollowerOptions,
): Follower {
  const { accepts = () => true, onItem, onFollow, onProblem, onGrow, silentMs } = options
  const end = new AbortController()
  const signal = AbortSignal.any([options.signal, end.signal])
  const waker = createWaker(signal)
  const sessions = createSessions(path, beginning.told)
  let caughtUp = 0
  // how often we had caught up when a run began; one from before grows, and what it gets is new whatever its time
  const began = new WeakMap<Run, number>()

  function isNews({ event: { at }, run, number, offset }: TranscriptItem, before: Told): boolean {
    const since = began.get(run) ?? caughtUp
    began.set(run, since)
    const isTold = number < before.events && (at === undefined || at <= before.lastAt)
    if (isTold && (at !== undefined || caughtUp === 0)) return false
    if (since < caughtUp || (at !== undefined && at >= beginning.newsSince)) return true
    // it grew while nobody looked
    if (caughtUp === 0 && before.events > 0 && beginning.told.size > 0) return true
    return at === undefined && (caughtUp > 0 || offset >= beginning.newsFrom)
  }

  async function follow(): Promise<'over' | 'dropped' | 'left'> {
    const pause = (atLeastMs: number) => waker.pause(POLL_MS, atLeastMs)
    const transcript = followWith(path, { signal, silentMs, pause })
    for await (const items of transcript) {
      if (items.length === 0) {
        caughtUp++
        onFollow?.(path)
      }
      for (const item of items) {
        if (!accepts(item.run)) {
          if (isInDatabase(item.run)) continue
          return 'dropped'
        }
        await onItem(item, { path, isNews: isNews(item, sessions.add(item)) })
      }
      onGrow()
    }
    if (signal.aborted) return 'left'
    const { problem } = transcript.summary
    if (problem) onProblem?.({ path, message: problem.message })
    return 'over'
  }

  return {
    ended: follow(),
    get isCaughtUp() {
      return caughtUp > 0
    },
    sessions,
    wake: waker.wake,
    stop: () => end.abort(),
  }
}
