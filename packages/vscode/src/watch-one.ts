import { followTranscript, type TranscriptItem } from '@unloop/transcripts'
import { createGuard, type Guard } from 'unloop'
import { isOfWorkspace } from './of-workspace.js'
import type { Report } from './watch-report.js'
import type { WatchOptions } from './watcher.js'

/** What happened before somebody watched is no news; where lines tell no time, what was there before. */
export interface Beginning {
  startedAt: number
  isOld: boolean
}

/** Follows one transcript; false as soon as it turns out to be of another folder. */
export async function followOne(
  path: string,
  { startedAt, isOld }: Beginning,
  options: WatchOptions,
  report: Report,
): Promise<boolean> {
  const watch = createWatch(path, options, report)
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
function createWatch(path: string, { guard: options }: WatchOptions, report: Report) {
  const guards = new WeakMap<object, Guard>()
  const lines = new WeakMap<object, number[]>()
  return ({ event, run, number, line }: TranscriptItem, isNews: boolean) => {
    const guard = guards.get(run) ?? createGuard({ ...options, onFault: report.fault })
    guards.set(run, guard)
    const told = lines.get(run) ?? []
    lines.set(run, told)
    told[number] = line
    const finding = guard.observe(event)
    if (guard.skipped > 0) report.skipped(path, guard.skipped)
    // a transcript of nowhere in particular is nobody's here
    if (!finding || !isNews || run.project === undefined) return
    const { program = run.format, session = '' } = run
    const since = told[finding.since] ?? line
    report.found({
      finding,
      at: event.at ?? Date.now(),
      place: { type: 'transcript', path, line, since, program, session },
    })
  }
}
