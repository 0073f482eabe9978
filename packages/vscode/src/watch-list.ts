import type { Watched } from '@unloop/transcripts'
import type { Translate } from 'unloop/words'
import { isLikely } from './chat/loop-words.js'
import { type Found, keyOf, sessionKeyOf, type WatchedLoop } from './found.js'

/** What is known of other agents: the sessions that are watched, their loops, and what the person wants to hear of them. */
export type WatchList = ReturnType<typeof createWatchList>

// more than anyone reads in the tree
const MAX_FOUND = 200

export function createWatchList(onChange: () => void) {
  let found: readonly WatchedLoop[] = []
  let watched: readonly Watched[] = []
  const muted = new Set<string>()
  const unseen = new Set<string>()

  const isMuted = (one: Found) => muted.has(keyOf(one)) || muted.has(sessionKeyOf(one))

  function mute(key: string) {
    muted.add(key)
    for (const one of found) if (isMuted(one)) unseen.delete(keyOf(one))
    onChange()
  }

  return {
    get found() {
      return found
    },
    get watched() {
      return watched
    },
    /** loops that are certain and that the person has not looked at */
    get unseen() {
      return unseen.size
    },
    /** Lists a loop, instead of what was known of it; whether the person should be interrupted for it. */
    add(next: WatchedLoop, isDue: boolean): boolean {
      const key = keyOf(next)
      found = [next, ...found.filter((one) => keyOf(one) !== key)].slice(0, MAX_FOUND)
      const isUrgent = isDue && !isLikely(next.finding) && !isMuted(next)
      if (isUrgent) unseen.add(key)
      onChange()
      return isUrgent
    },
    watch(sessions: readonly Watched[]) {
      watched = sessions
      onChange()
    },
    /** The person has looked at the list. */
    see() {
      if (unseen.size === 0) return
      unseen.clear()
      onChange()
    },
    isMuted,
    muteLoop: (one: Found) => mute(keyOf(one)),
    muteSession: (one: Found) => mute(sessionKeyOf(one)),
    unmute(one: Found) {
      muted.delete(keyOf(one))
      muted.delete(sessionKeyOf(one))
      onChange()
    },
    clear() {
      found = []
      unseen.clear()
      onChange()
    },
  }
}

/** How much is watched, in one sentence. */
export function describeWatched(watched: readonly Watched[], t: Translate): string {
  const agents = new Set(watched.map(({ program }) => program)).size
  if (watched.length === 0) return t('Watching; no agent is at work in this workspace')
  if (watched.length === 1) return t('Watching 1 session')
  return agents === 1
    ? t('Watching {0} sessions of 1 agent', watched.length)
    : t('Watching {0} sessions of {1} agents', watched.length, agents)
}
