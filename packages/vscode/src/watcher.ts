import { setTimeout } from 'node:timers/promises'
import {
  type Environment,
  findTranscripts,
  followTranscript,
  type TranscriptItem,
} from '@unloop/transcripts'
import { createGuard, type Guard, type GuardOptions } from 'unloop'
import type { Found } from './found.js'
import { isOfWorkspace } from './of-workspace.js'

export { checkGuard } from './check-guard.js'

export interface WatchOptions {
  /** the folders that are open; transcripts of others are left alone */
  folders: readonly string[]
  env: Environment
  home: string
  guard: GuardOptions
  signal: AbortSignal
  /** A loop, or the same one again with a higher count. */
  onFound(found: Found, isNew: boolean): void
  /** A transcript of these folders was read as far as it goes. */
  onFollow(path: string): void
  onProblem(message: string): void
  /** how often it is looked for new transcripts */
  scanMs?: number
}

const PROGRAMS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code']

// a session that was silent for longer is not one somebody sits at
const RECENT_MS = 60 * 60_000
// each is looked at four times a second
const MAX_FOLLOWED = 20
const SCAN_MS = 3000

/** Watches what coding agents write for these folders until the signal comes. It only reads. */
export async function watchTranscripts(options: WatchOptions): Promise<void> {
  const { env, home, signal, scanMs = SCAN_MS } = options
  const followed = new Set<string>()
  const others = new Set<string>()
  const startedAt = Date.now()
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const began = Date.now()
    const since = began - RECENT_MS
    for await (const { path } of findTranscripts({ env, home, programs: PROGRAMS, since })) {
      if (signal.aborted) return
      if (followed.has(path) || others.has(path) || followed.size >= MAX_FOLLOWED) continue
      followed.add(path)
      follow(path, { startedAt, isOld: isFirst }, options)
        .then((isOurs) => {
          if (!isOurs) others.add(path)
        })
        .catch((error) => options.onProblem(`${path}: ${error}`))
        .finally(() => followed.delete(path))
    }
    // whoever has thousands of them should not notice that they are looked through
    const pauseMs = Math.max(scanMs, 10 * (Date.now() - began))
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
  }
}

/** What happened before somebody watched is no news; where lines tell no time, what was there before. */
interface Beginning {
  startedAt: number
  isOld: boolean
}

/** Follows one transcript; false as soon as it turns out to be of another folder. */
async function follow(
  path: string,
  { startedAt, isOld }: Beginning,
  options: WatchOptions,
): Promise<boolean> {
  const watch = createWatch(path, options)
  let isCaughtUp = !isOld
  for await (const items of followTranscript(path, { signal: options.signal })) {
    if (items.length === 0) {
      isCaughtUp = true
      options.onFollow(path)
    }
    for (const item of items) {
      const { project } = item.run
      if (project !== undefined && !isOfWorkspace(project, options.folders)) return false
      const { at } = item.event
      watch(item, at === undefined ? isCaughtUp : at >= startedAt)
    }
  }
  return true
}

/** Gives each run of a transcript a guard of its own. */
function createWatch(path: string, { guard: options, onFound }: WatchOptions) {
  const guards = new WeakMap<object, Guard>()
  const lines = new WeakMap<object, number[]>()
  const known = new Set<string>()
  return ({ event, run, number, line }: TranscriptItem, isNews: boolean) => {
    const guard = guards.get(run) ?? createGuard(options)
    guards.set(run, guard)
    const told = lines.get(run) ?? []
    lines.set(run, told)
    told[number] = line
    const finding = guard.observe(event)
    // a transcript of nowhere in particular is nobody's here
    if (!finding || !isNews || run.project === undefined) return
    const name = `${run.session} ${finding.identity}`
    onFound(
      {
        finding,
        at: event.at ?? Date.now(),
        place: {
          type: 'transcript',
          path,
          line,
          since: told[finding.since] ?? line,
          program: run.program ?? run.format,
          session: run.session ?? '',
        },
      },
      !known.has(name),
    )
    known.add(name)
  }
}
