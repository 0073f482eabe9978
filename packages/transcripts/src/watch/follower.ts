import { followWith } from '../follow.js'
import type { Run, TranscriptItem } from '../transcript.js'
import type { WatchOptions } from '../watch.js'
import { createSessions, isInDatabase, type Sessions, type Told } from './sessions.js'
import { createWaker } from './waker.js'

/** What of a transcript is not news. */
export interface Beginning {
  /** what happened since then is news */
  newsSince: number
  /** what stands before this byte was there already; what has no time is news from here on */
  newsFrom: number
  /** how far its runs were told when it was followed before */
  told: ReadonlyMap<string, Told>
}

/** A transcript that is followed. */
export interface Follower {
  /** `over`: it can be followed no further, which a write may change; `dropped`: it is of no interest; `left`: we stopped it */
  ended: Promise<'over' | 'dropped' | 'left'>
  readonly isCaughtUp: boolean
  /** everything before this byte was told */
  readonly toldBytes: number
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
  let toldBytes = 0
  // a file that only grows keeps its events where they are, so that their place says more than their time
  let keepsPlaces = false
  // how often we had caught up when a run began; one from before grows, and what it gets is new whatever its time
  const began = new WeakMap<Run, number>()

  function isNews({ event: { at }, run, number, offset }: TranscriptItem, before: Told): boolean {
    const since = began.get(run) ?? caughtUp
    began.set(run, since)
    const isTold = number < before.events && (at === undefined || at <= before.lastAt)
    if (isTold && (at !== undefined || caughtUp === 0)) return false
    if (since < caughtUp) return true
    // it grew while nobody looked
    if (caughtUp === 0 && before.events > 0 && beginning.told.size > 0) return true
    const stoodThere = caughtUp === 0 && offset < beginning.newsFrom
    if (at === undefined) return !stoodThere
    // the watching may start in the millisecond in which something is written, and a clock may be ahead
    if (stoodThere && (keepsPlaces || at === beginning.newsSince)) return false
    return at >= beginning.newsSince
  }

  async function follow(): Promise<'over' | 'dropped' | 'left'> {
    const pause = (atLeastMs: number) => waker.pause(POLL_MS, atLeastMs)
    const onLines = (bytes: number) => {
      keepsPlaces = bytes >= beginning.newsFrom
      toldBytes = 0
    }
    const transcript = followWith(path, { signal, silentMs, pause, onLines })
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
        toldBytes = Math.max(toldBytes, item.offset + 1)
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
    get toldBytes() {
      return toldBytes
    },
    sessions,
    wake: waker.wake,
    stop: () => end.abort(),
  }
}
