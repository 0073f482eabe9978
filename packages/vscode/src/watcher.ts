import {
  createWhereabouts,
  type Environment,
  programTitle,
  type Run,
  type TranscriptItem,
  type Watched,
  type Whereabouts,
  watchTranscripts,
} from '@unloop/transcripts'
import { createGuard, type Guard } from 'unloop'
import { toGuardOptions } from './check-guard.js'
import { isOfWorkspace } from './of-workspace.js'
import type { GuardSettings } from './settings.js'
import { createReport, type ReportOptions } from './watch-report.js'

export { checkGuard } from './check-guard.js'
export { toDocument } from './transcript-document.js'

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
  /** The sessions that are watched have changed. */
  onChange?(watched: readonly Watched[]): void
  onProblem(message: string): void
  scanMs?: number
}

/** Guards each run that coding agents are recording for these folders, until the signal comes. It only reads. */
export function watchLoops(options: WatchLoopsOptions): Promise<void> {
  const { folders, guard, onProblem, ...rest } = options
  const report = createReport(options)
  const runs = new WeakMap<Run, Guarded>()
  const accepts = createFilter(folders)

  function guardedOf(run: Run): Guarded {
    const guarded = runs.get(run) ?? {
      guard: createGuard({ ...toGuardOptions(guard), onFault: report.fault }),
      whereabouts: createWhereabouts(),
    }
    runs.set(run, guarded)
    return guarded
  }

  function observe(item: TranscriptItem, path: string, isNews: boolean) {
    const { event, run, line } = item
    const { guard, whereabouts } = guardedOf(run)
    whereabouts.add(item)
    const finding = guard.observe(event)
    if (guard.skipped > 0) report.skipped(path, guard.skipped)
    // without a project we cannot tell whether it belongs to these folders
    if (!finding || !isNews || run.project === undefined) return
    const { session = '', project, program = run.format } = run
    const since = whereabouts.of(finding.firstEvent)?.line ?? line
    report.found({
      finding,
      at: event.at ?? Date.now(),
      place: {
        ...{ type: 'transcript', path, line, since, program, title: programTitle(run) },
        ...{ session, project },
      },
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

interface Guarded {
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
