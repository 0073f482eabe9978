import { setTimeout } from 'node:timers/promises'
import { type Environment, type FoundTranscript, findTranscripts } from '@unloop/transcripts'
import { followOne } from './watch-one.js'
import { createReport, type ReportOptions } from './watch-report.js'

export { checkGuard } from './check-guard.js'

export interface WatchOptions extends ReportOptions {
  /** the folders that are open; transcripts of others are left alone */
  folders: readonly string[]
  env: Environment
  home: string
  signal: AbortSignal
  /** A transcript of these folders was read as far as it goes. */
  onFollow(path: string): void
  /** A transcript is not followed any more. */
  onFree(path: string): void
  onProblem(message: string): void
  /** how often it is looked for new transcripts */
  scanMs?: number
}

const PROGRAMS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code']

// a session that was silent for longer is not one somebody sits at
const RECENT_MS = 60 * 60_000
const SCAN_MS = 3000

/** How many are followed at a time: each is looked at four times a second. */
export const MAX_FOLLOWED = 50

/**
 * Watches what coding agents write for these folders until the signal comes. It only reads. Those that were written to
 * last are followed: one that is new or goes on takes the place of the one that was silent for longest.
 */
export async function watchTranscripts(options: WatchOptions): Promise<void> {
  const { signal, scanMs = SCAN_MS } = options
  const report = createReport(options)
  const followed = new Map<string, AbortController>()
  // until when a transcript is of no use: for ever if it is of another folder, else until it is written to
  const useless = new Map<string, number>()
  const startedAt = Date.now()
  let old: ReadonlySet<string> | undefined

  function start({ path, modifiedAt }: FoundTranscript, isOld: boolean) {
    const end = new AbortController()
    followed.set(path, end)
    const beginning = { startedAt, isOld }
    followOne(
      path,
      beginning,
      { ...options, signal: AbortSignal.any([signal, end.signal]) },
      report,
    )
      .then((isOurs) => {
        if (!end.signal.aborted) useless.set(path, isOurs ? modifiedAt : Number.POSITIVE_INFINITY)
      })
      .catch((error) => {
        useless.set(path, modifiedAt)
        options.onProblem(`${path}: ${error}`)
      })
      .finally(() => {
        options.onFree(path)
        if (followed.get(path) === end) followed.delete(path)
      })
  }

  while (!signal.aborted) {
    const began = Date.now()
    const recent = await listRecent(options)
    if (signal.aborted) return
    old ??= new Set(recent.map(({ path }) => path))
    const wanted = recent
      .filter(({ path, modifiedAt }) => (useless.get(path) ?? 0) < modifiedAt)
      .slice(0, MAX_FOLLOWED)
    for (const [path, end] of followed) {
      if (wanted.some((one) => one.path === path)) continue
      followed.delete(path)
      end.abort()
    }
    for (const one of wanted) if (!followed.has(one.path)) start(one, old.has(one.path))
    // whoever has thousands of them should not notice that they are looked through
    const pauseMs = Math.max(scanMs, 10 * (Date.now() - began))
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
  }
}

/** The transcripts of the last hour; what was written to last comes first. */
async function listRecent({ env, home, signal }: WatchOptions): Promise<FoundTranscript[]> {
  const recent: FoundTranscript[] = []
  const since = Date.now() - RECENT_MS
  for await (const one of findTranscripts({ env, home, programs: PROGRAMS, since })) {
    if (signal.aborted) break
    recent.push(one)
  }
  return recent.sort((a, b) => b.modifiedAt - a.modifiedAt)
}
