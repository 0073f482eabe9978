import { setTimeout as sleep } from 'node:timers/promises'
import { type FoundTranscript, findTranscripts, listFolder } from './find.js'
import type { Environment } from './location.js'
import type { Run, TranscriptItem } from './transcript.js'
import { watchOne } from './watch-one.js'

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
  /** how often to look for new transcripts; 3,000 ms by default */
  scanMs?: number
  /**
   * Whether a run is of interest; all are by default. A file with one that is not is dropped for good; in a
   * database, which holds the sessions of many projects, only that run is skipped.
   */
  accepts?(run: Run): boolean
  /** Called for each event of the transcripts that are followed, including those from before. A promise is awaited. */
  onItem(item: TranscriptItem, source: WatchedSource): void | Promise<void>
  /** Called when everything that was in a transcript has been read. */
  onFollow?(path: string): void
  /** Called when a transcript is no longer followed. */
  onLeave?(path: string): void
  /** Called once for each problem, until it goes away. */
  onProblem?(problem: { path: string; message: string }): void
}

/** Where an event was read. */
export interface WatchedSource {
  path: string
  /** it happened since the watching started, was written since if it has no time, or stands in a file that appeared since and is less than an hour older */
  isNews: boolean
}

/** How many transcripts are followed at a time: each is polled four times a second. */
export const MAX_FOLLOWED = 50

// nobody is waiting for a session that has been silent for longer
const RECENT_MS = 60 * 60_000
const SCAN_MS = 3000
// with thousands of transcripts, scanning takes a tenth of the time at most
const PAUSE_PER_SCAN = 10

/**
 * Follows the transcripts that are being written, until the signal comes. The ones written to last are followed: a
 * transcript that is new or grows takes the place of the one that has been silent longest, and is read from its start.
 *
 * @example
 * await watchTranscripts({ signal, onItem: ({ event, run }) => guardOf(run).observe(event) })
 */
export async function watchTranscripts(options: WatchOptions): Promise<void> {
  const { signal, scanMs = SCAN_MS } = options
  const startedAt = Date.now()
  const followed = new Map<string, Followed>()
  // read to its end or not of interest; worth another look once it is written to after this time
  let done = new Map<string, number>()
  const tellProblem = createProblems(options)
  let old: ReadonlySet<string> | undefined

  function start({ path, modifiedAt }: FoundTranscript, isOld: boolean) {
    const end = new AbortController()
    // a file that appears is new as a whole, but it may begin with a copy of a session from long ago
    const newsSince = isOld ? startedAt : startedAt - RECENT_MS
    const within = { ...options, signal: AbortSignal.any([signal, end.signal]) }
    const ended = watchOne(path, { newsSince, isOld }, within)
      .then((isOver) => {
        if (isOver !== undefined) done.set(path, isOver ? modifiedAt : Number.POSITIVE_INFINITY)
      })
      .catch((error) => {
        done.set(path, modifiedAt)
        options.onProblem?.({ path, message: error instanceof Error ? error.message : `${error}` })
      })
      .finally(() => {
        options.onLeave?.(path)
        if (followed.get(path)?.end === end) followed.delete(path)
      })
    followed.set(path, { end, ended })
  }

  while (!signal.aborted) {
    const scanStartedAt = Date.now()
    const found = await scan(options, tellProblem)
    if (signal.aborted) break
    old ??= new Set(found.map(({ path }) => path))
    done = new Map(found.flatMap(({ path }) => entryOf(done, path)))
    const wanted = found
      .filter(({ path, modifiedAt }) => (done.get(path) ?? 0) < modifiedAt)
      .slice(0, MAX_FOLLOWED)
    const paths = new Set(wanted.map(({ path }) => path))
    for (const [path, { end }] of followed) {
      if (paths.has(path)) continue
      followed.delete(path)
      end.abort()
    }
    for (const one of wanted) if (!followed.has(one.path)) start(one, old.has(one.path))
    const pauseMs = Math.max(scanMs, PAUSE_PER_SCAN * (Date.now() - scanStartedAt))
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
  await Promise.all([...followed.values()].map(({ ended }) => ended))
}

interface Followed {
  end: AbortController
  ended: Promise<void>
}

/** The transcripts that may be written to, the one written to last first. */
async function scan(
  { paths = [], programs, env, platform, home, signal }: WatchOptions,
  problems: Problems,
): Promise<FoundTranscript[]> {
  const found = new Map<string, FoundTranscript>()
  const where = {
    ...(env && { env }),
    ...(platform !== undefined && { platform }),
    ...(home !== undefined && { home }),
    ...(programs && { programs }),
    onProblem: problems.add,
  }
  const lists =
    paths.length > 0
      ? // what a person names is followed however old it is
        paths.map((path) => listFolder(path, where))
      : [findTranscripts({ ...where, since: Date.now() - RECENT_MS })]
  for (const list of lists) {
    for await (const one of list) {
      if (signal.aborted) return []
      found.set(one.path, one)
    }
  }
  problems.settle()
  return [...found.values()].sort((a, b) => b.modifiedAt - a.modifiedAt)
}

type Problems = ReturnType<typeof createProblems>

/** Tells a problem once, and again only after a scan without it. */
function createProblems({ onProblem }: WatchOptions) {
  let known = new Set<string>()
  let now = new Set<string>()
  return {
    add({ path, message }: { path: string; message: string }) {
      if (!known.has(path) && !now.has(path)) onProblem?.({ path, message })
      now.add(path)
    },
    settle() {
      known = now
      now = new Set()
    },
  }
}

const entryOf = (map: ReadonlyMap<string, number>, path: string): [string, number][] => {
  const value = map.get(path)
  return value === undefined ? [] : [[path, value]]
}
