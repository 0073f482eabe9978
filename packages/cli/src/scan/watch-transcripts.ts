import { setMaxListeners } from 'node:events'
import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import {
  followTranscript,
  type Run,
  type TranscriptItem,
  transcriptAt,
  transcriptPlaces,
} from '@unloop/transcripts'
import type { GuardOptions } from 'unloop'
import type { Host } from '../host.js'
import type { FaultReport } from '../troubles.js'
import { toFailure } from './problem.js'
import type { Unit } from './run-report.js'
import { selectTranscripts } from './select.js'
import { unitOf } from './unit.js'
import { createRunWatch, type RunWatch, type Seen } from './watch-run.js'

/** A loop that was seen while it happened. */
export interface Alarm extends Seen {
  item: TranscriptItem
  path: string
  /** the number of the file, which it keeps when it is renamed */
  inode: number | undefined
  unit: Unit
}

export interface WatchOptions {
  guard: GuardOptions
  agents?: readonly string[]
  signal: AbortSignal
  onAlarm(alarm: Alarm): void
  /** Is told of loops from before, which are known but not reported. */
  onKnown(alarm: Alarm): void
  onProblem(problem: { path: string; message: string }): void
  /** Is told when a part of the guard fails. */
  onFault(path: string, fault: FaultReport): void
  /** Is told of each transcript once all that was in it has been read. */
  onFollow(path: string): void
}

// what was written to a little while ago is likely to be written to again
const RECENT_MS = 15 * 60_000
// the system tells of new files; where it does not, this is how late they are noticed
const SWEEP_MS = 5_000

/** Follows the transcripts as agents write them, until the signal comes. */
export async function watchTranscripts(
  host: Host,
  paths: readonly string[],
  options: WatchOptions,
): Promise<void> {
  const { signal, agents } = options
  const startedAt = Date.now()
  // each transcript listens to it
  setMaxListeners(0, signal)
  const following = new Map<string, Promise<void>>()
  const watchers: FSWatcher[] = []

  function follow(path: string) {
    if (following.has(path) || signal.aborted) return
    following.set(
      path,
      followOne(path, startedAt, options)
        .catch((error) => options.onProblem({ path, message: toFailure(error).message }))
        .finally(() => following.delete(path)),
    )
  }

  async function sweep(since: number) {
    const found = await selectTranscripts(host, paths, {
      since,
      ...(agents && { agents }),
      onProblem: since === 0 ? options.onProblem : () => {},
    })
    for (const { path } of found) follow(path)
  }

  // files that a person names are followed however old they are
  await sweep(paths.length > 0 ? 0 : Date.now() - RECENT_MS)
  for (const place of folders(host, paths, agents)) {
    const watcher = watchFolder(place.path, (name) => {
      const path = transcriptAt(place, name, host.platform)
      if (path !== undefined) follow(path)
    })
    if (watcher) watchers.push(watcher)
  }
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => sweep(Date.now() - 2 * SWEEP_MS), SWEEP_MS)
    const end = () => {
      clearInterval(timer)
      for (const watcher of watchers) watcher.close()
      resolve()
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
  })
  await Promise.all(following.values())
}

function folders(host: Host, paths: readonly string[], agents: readonly string[] | undefined) {
  if (paths.length > 0) {
    const files = /\.(?:jsonl|json)$/
    return paths.map((path) => ({ path, files }))
  }
  const places = transcriptPlaces(host.env, host.platform, host.env.HOME ?? '')
  return places.filter(({ program }) => !agents || agents.includes(program))
}

function watchFolder(path: string, onChange: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, { recursive: true }, (_, name) => name && onChange(name))
    // a folder that goes away is no problem of ours
    return watcher.on('error', () => watcher.close())
  } catch {
    return undefined
  }
}

async function followOne(
  path: string,
  startedAt: number,
  { guard, signal, onAlarm, onKnown, onProblem, onFault, onFollow }: WatchOptions,
): Promise<void> {
  const watches = new WeakMap<Run, RunWatch>()
  const transcript = followTranscript(path, { signal })
  // what is there already is read, so that a loop which has begun is known, but it is not reported; a session
  // that begins while we watch may have written much before we look
  let isNew = false
  const isReported = ({ event }: TranscriptItem) => isNew || (event.at ?? 0) >= startedAt
  let unit: Unit | undefined
  for await (const items of transcript) {
    if (items.length === 0 && !isNew) {
      isNew = true
      onFollow(path)
    }
    unit ??= await unitOf(path, transcript.summary.format ?? '')
    for (const item of items) {
      const known =
        watches.get(item.run) ?? createRunWatch(path, unit, guard, (fault) => onFault(path, fault))
      watches.set(item.run, known)
      const seen = known.take(item)
      if (!seen) continue
      const inode = (await stat(path).catch(() => undefined))?.ino
      const alarm = { ...seen, item, path, inode, unit }
      if (isReported(item)) onAlarm(alarm)
      else onKnown(alarm)
    }
  }
  const { problem } = transcript.summary
  if (problem && !signal.aborted) onProblem({ path, message: problem.message })
}
