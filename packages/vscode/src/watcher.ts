import {
  createWhereabouts,
  type Environment,
  formats,
  type Run,
  type TranscriptItem,
  type Whereabouts,
  watchTranscripts,
} from '@unloop/transcripts'
import { createGuard, type Guard } from 'unloop'
import { toGuardOptions } from './check-guard.js'
import { isOfWorkspace } from './of-workspace.js'
import type { GuardSettings } from './settings.js'
import { createReport, type ReportOptions } from './watch-report.js'

export { checkGuard } from './check-guard.js'

export interface WatchLoopsOptions extends ReportOptions {
  /** the folders that are open; transcripts of others are ignored */
  folders: readonly string[]
  guard: GuardSettings
  env: Environment
  home: string
  signal: AbortSignal
  /** A transcript of these folders has been read to its end. */
  onFollow(path: string): void
  /** A transcript is no longer followed. */
  onLeave(path: string): void
  onProblem(message: string): void
  scanMs?: number
}

/** Guards each run that coding agents are recording for these folders, until the signal comes. It only reads. */
export function watchLoops(options: WatchLoopsOptions): Promise<void> {
  const { folders, guard, onProblem, ...rest } = options
  const report = createReport(options)
  const runs = new WeakMap<Run, Watched>()
  const accepts = createFilter(folders)

  function watchedOf(run: Run): Watched {
    const watched = runs.get(run) ?? {
      guard: createGuard({ ...toGuardOptions(guard), onFault: report.fault }),
      whereabouts: createWhereabouts(),
    }
    runs.set(run, watched)
    return watched
  }

  function observe(item: TranscriptItem, path: string, isNews: boolean) {
    const { event, run, line } = item
    const { guard, whereabouts } = watchedOf(run)
    whereabouts.add(item)
    const finding = guard.observe(event)
    if (guard.skipped > 0) report.skipped(path, guard.skipped)
    // without a project we cannot tell whether it belongs to these folders
    if (!finding || !isNews || run.project === undefined) return
    const { session = '' } = run
    const since = whereabouts.of(finding.firstEvent)?.line ?? line
    report.found({
      finding,
      at: event.at ?? Date.now(),
      place: { type: 'transcript', path, line, since, program: programOf(run), session },
    })
  }

  return watchTranscripts({
    ...rest,
    accepts,
    onItem: (item, { path, isNews }) => observe(item, path, isNews),
    onProblem: ({ path, message }) =>
      onProblem(message.includes(path) ? message : `${path}: ${message}`),
  })
}

/** The program as people write its name. */
function programOf({ program, format }: Run): string {
  const name = program ?? format
  return formats.find((one) => one.name === name)?.title ?? name
}

interface Watched {
  guard: Guard
  whereabouts: Whereabouts
}

/** Asks once for each project of a run: comparing paths touches the disk. */
function createFilter(folders: readonly string[]) {
  const asked = new WeakMap<Run, { project: string; isOurs: boolean }>()
  return (run: Run): boolean => {
    const { project } = run
    if (project === undefined) return true
    const known = asked.get(run)
    if (known?.project === project) return known.isOurs
    const isOurs = isOfWorkspace(project, folders)
    asked.set(run, { project, isOurs })
    return isOurs
  }
}
