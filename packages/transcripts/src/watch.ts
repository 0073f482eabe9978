import { homedir } from 'node:os'
import { normalize, sep } from 'node:path'
import { type FoundTranscript, toLocation } from './find.js'
import type { Environment, TranscriptLocation } from './location.js'
import { transcriptLocations } from './locations.js'
import type { Run, TranscriptItem } from './transcript.js'
import { createCatalog } from './watch/catalog.js'
import { type Beginning, createFollower, type Follower } from './watch/follower.js'
import type { Watched } from './watch/sessions.js'

/** What to watch, and what to call. */
export interface WatchOptions {
  /** files and folders; without any, the default locations of all programs */
  paths?: readonly string[]
  /** only these programs; applies to the default locations */
  programs?: readonly string[]
  env?: Environment
  platform?: string
  home?: string
  /** ends the watching */
  signal: AbortSignal
  /** how often to look where the system does not report what is written; 1,000 ms by default */
  scanMs?: number
  /** a transcript that is silent for so long is let go until it grows; 15 minutes by default */
  silentMs?: number
  /**
   * Whether a run is of interest; all are by default. A file with one that is not is dropped for good; in a
   * database, which holds the sessions of many projects, only that run is skipped.
   */
  accepts?(run: Run): boolean
  /** Called when it is known what was there before: what is written from now on is news. */
  onReady?(): void
  /** Called for each event of the transcripts that are followed, including those from before. A promise is awaited. */
  onItem(item: TranscriptItem, source: WatchedSource): void | Promise<void>
  /** Called when everything that was in a transcript has been read. */
  onFollow?(path: string): void
  /** Called when a transcript is no longer followed. */
  onLeave?(path: string): void
  /** Called with all sessions that are watched, whenever there is one more or less, or one has grown. */
  onChange?(watched: readonly Watched[]): void
  /** Called once for each problem, until it goes away. */
  onProblem?(problem: { path: string; message: string }): void
}

/** Where an event was read. */
export interface WatchedSource {
  path: string
  /** it happened since the watching started, was written since if it has no time, or stands in a file that appeared since and is less than an hour older */
  isNews: boolean
}

/** How many transcripts are followed at a time: each holds what its reader and a guard remember. */
export const MAX_FOLLOWED = 100

// nobody is waiting for a session that has been silent for longer
const RECENT_MS = 60 * 60_000
// time for lunch with a question open; a session that wakes up later is read again, in a second
const SILENT_MS = 15 * 60_000
const SCAN_MS = 1000
// a person sees no difference, and twenty sessions grow many times a second
const TELL_MS = 250
// what closes the lists of a document stands behind its last element
const CLOSING_BYTES = 8

/**
 * Follows the transcripts that are being written, until the signal comes. A transcript that is new or grows is followed,
 * and read from its start; one that is silent is let go, and so is the one that has been silent longest if there are too many.
 *
 * @example
 * await watchTranscripts({ signal, onItem: ({ event, run }) => guardOf(run).observe(event) })
 */
export async function watchTranscripts(options: WatchOptions): Promise<void> {
  const { signal, scanMs = SCAN_MS, silentMs = SILENT_MS, onProblem } = options
  const startedAt = Date.now()
  const catalog = createCatalog({ locations: locationsOf(options), scanMs, onProblem, signal })
  const { found } = catalog
  const followed = new Map<string, Follower>()
  const ending = new Set<Promise<void>>()
  /** what is not news of those that were there before, or were followed before */
  const beginnings = new Map<string, Beginning>()
  /** let go, read to the end or not of interest; worth another look once it is written to after this time */
  const done = new Map<string, number>()
  const tell = createTeller(options, () =>
    [...followed].flatMap(([path, { isCaughtUp, sessions }]) =>
      isCaughtUp ? sessions.list(modifiedAtOf(path), Date.now() - silentMs) : [],
    ),
  )
  const isSilent = ({ modifiedAt }: { modifiedAt: number }) => Date.now() - modifiedAt > silentMs
  const modifiedAtOf = (path: string) => found.get(path)?.modifiedAt ?? 0

  function start(path: string) {
    const beginning = beginnings.get(path) ?? {
      // a file that appears is new as a whole, but it may begin with a copy of a session from long ago
      ...{ newsSince: startedAt - RECENT_MS, newsFrom: Number.NEGATIVE_INFINITY, told: new Map() },
    }
    const follower = createFollower(path, beginning, { ...options, silentMs, onGrow: tell.soon })
    followed.set(path, follower)
    const ended = follower.ended
      .then((how) => {
        if (how !== 'left') {
          done.set(path, how === 'over' ? modifiedAtOf(path) : Number.POSITIVE_INFINITY)
        }
      })
      .catch((error) => {
        done.set(path, modifiedAtOf(path))
        onProblem?.({ path, message: error instanceof Error ? error.message : `${error}` })
      })
      .finally(() => {
        ending.delete(ended)
        if (followed.get(path) === follower) followed.delete(path)
        options.onLeave?.(path)
        tell.soon()
        // others may wait for its place
        catalog.wake()
      })
    ending.add(ended)
  }

  function leave(path: string, { isCaughtUp, toldBytes, sessions, stop }: Follower) {
    followed.delete(path)
    stop()
    const now = found.get(path)
    if (!now || !isCaughtUp) return
    // one that made room for another is worth a look when there is room again
    if (isSilent(now)) done.set(path, now.modifiedAt)
    beginnings.set(path, { newsSince: Date.now(), newsFrom: toldBytes, told: sessions.told })
  }

  /** The transcripts to follow, the one written to last first. */
  function wanted(): FoundTranscript[] {
    const isNamed = (options.paths ?? []).length > 0
    const isWanted = ({ path, modifiedAt }: FoundTranscript) => {
      if (modifiedAt <= (done.get(path) ?? -1)) return false
      if (followed.get(path)?.isCaughtUp) return !isSilent({ modifiedAt })
      // what a person names is read however old it is
      return isNamed || Date.now() - modifiedAt <= RECENT_MS
    }
    return [...found.values()]
      .filter(isWanted)
      .sort((a, b) => b.modifiedAt - a.modifiedAt)
      .slice(0, MAX_FOLLOWED)
  }

  let changed = await catalog.next()
  for (const { path, bytes } of found.values()) {
    const newsFrom = bytes - CLOSING_BYTES
    beginnings.set(path, { newsSince: startedAt, newsFrom, told: new Map() })
  }
  if (!signal.aborted) options.onReady?.()
  while (!signal.aborted) {
    for (const path of changed) {
      followed.get(path)?.wake()
      // what comes back under this name may be of interest
      if (!found.has(path)) done.delete(path)
    }
    const paths = new Set(wanted().map(({ path }) => path))
    for (const [path, follower] of followed) if (!paths.has(path)) leave(path, follower)
    for (const path of paths) {
      // one that is stopped keeps its place until what it told last is taken
      if (!followed.has(path) && ending.size < MAX_FOLLOWED) start(path)
    }
    if (changed.size > 0) tell.soon()
    changed = await catalog.next()
  }
  catalog.close()
  await Promise.all(ending)
  tell.end()
}

function locationsOf(options: WatchOptions): TranscriptLocation[] {
  const { paths = [], programs } = options
  if (paths.length > 0) return paths.map((path) => toLocation(tidy(path)))
  const { env = process.env, platform = process.platform, home = homedir() } = options
  return transcriptLocations(env, platform, home).filter(
    ({ program }) => !programs || programs.includes(program),
  )
}

/** The path as the system reports it: without `./` at its beginning and `/` at its end. */
function tidy(path: string): string {
  const plain = normalize(path)
  return plain.length > 1 && plain.endsWith(sep) ? plain.slice(0, -1) : plain
}

/** Tells what is watched a moment after it has changed, and that nothing is at the end. */
function createTeller({ onChange }: WatchOptions, list: () => readonly Watched[]) {
  let timer: NodeJS.Timeout | undefined
  return {
    soon() {
      if (!onChange) return
      timer ??= setTimeout(() => {
        timer = undefined
        onChange(list())
      }, TELL_MS)
    },
    end() {
      clearTimeout(timer)
      onChange?.([])
    },
  }
}
