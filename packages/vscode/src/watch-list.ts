import type { Watched } from '@unloop/transcripts'
import type { Translate } from 'unloop/words'
import { isLikely } from './chat/loop-words.js'
import { type Found, keyOf, sessionKeyOf, type WatchedLoop } from './found.js'

/** What is known of other agents: the sessions that are watched, their loops, and what the person wants to hear of them. */
export type WatchList = ReturnType<typeof createWatchList>

// more than anyone reads in the tree
const MAX_FOUND = 200

export interface WatchListParts {
  onChange(): void
  /** Resolves when the window shows what it was told so far. */
  told(): Promise<void>
  /** Whether the list is open: then a loop is seen once its row was asked for. */
  isOpen(): boolean
}

/** A list that says when it changes. */
export function createWatchList({ onChange, told, isOpen }: WatchListParts) {
  let found: readonly WatchedLoop[] = []
  let watched: readonly Watched[] = []
  const muted = new Set<string>()
  const unseen = new Set<string>()
  /** for each loop that is listed, whether the person can know of it */
  const listed = new Map<string, { isShown: boolean }>()

  /** The window has these, and shows them with the next that it is told. */
  function show(loops: readonly Found[]) {
    const rows = loops.flatMap((one) => listed.get(keyOf(one)) ?? [])
    if (rows.every(({ isShown }) => isShown)) return
    told().then(() => {
      for (const row of rows) row.isShown = true
    })
  }

  function keep(next: readonly WatchedLoop[]) {
    found = next
    const kept = new Set(found.map(keyOf))
    for (const key of unseen) if (!kept.has(key)) unseen.delete(key)
    for (const key of listed.keys()) if (!kept.has(key)) listed.delete(key)
  }

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
      const others = found.filter((one) => keyOf(one) !== key)
      keep([next, ...others].slice(0, MAX_FOUND))
      const isUrgent = isDue && !isLikely(next.finding) && !isMuted(next)
      if (isUrgent) unseen.add(key)
      if (!listed.has(key)) {
        listed.set(key, { isShown: false })
        if (!isOpen()) show([next])
      }
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
    show,
    isMuted,
    muteLoop: (one: Found) => mute(keyOf(one)),
    muteSession: (one: Found) => mute(sessionKeyOf(one)),
    unmute(one: Found) {
      muted.delete(keyOf(one))
      muted.delete(sessionKeyOf(one))
      onChange()
    },
    /** Forgets what the person can have seen; what came after they asked for it stays. */
    clear() {
      keep(found.filter((one) => !listed.get(keyOf(one))?.isShown))
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
