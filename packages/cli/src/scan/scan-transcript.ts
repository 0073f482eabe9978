import { type Run, readTranscript, type Summary, type TranscriptItem } from '@unloop/transcripts'
import { createGuardedRun, type GuardedRun, type GuardedRunOptions } from './guarded-run.js'
import { toFailure } from './problem.js'
import type { RunDraft } from './run-draft.js'
import type { FileReport, Unit } from './run-report.js'
import { unitOf } from './unit.js'

export interface ScanOptions extends Pick<GuardedRunOptions, 'guard' | 'prices'> {
  signal?: AbortSignal
  /** Called from time to time with how much of it has been read. */
  onProgress?(bytes: number): void
}

// sub-agents that work side by side; a file of traces has its runs one after the other
const OPEN_RUNS = 64

/** Reads one transcript and tells of its runs as each of them is over; whatever goes wrong is its problem alone. */
export async function scanTranscript(
  path: string,
  { guard, prices, signal, onProgress }: ScanOptions,
  onRun: (draft: RunDraft) => void,
): Promise<FileReport> {
  const open = new Map<Run, GuardedRun>()
  const transcript = readTranscript(path, signal ? { signal } : {})

  function watchOf(item: TranscriptItem, unit: Unit): GuardedRun {
    const known = open.get(item.run)
    if (known) {
      // the one used last stands last, so that the first is the one to give up
      open.delete(item.run)
      open.set(item.run, known)
      return known
    }
    const watch = createGuardedRun(path, unit, { guard, prices })
    open.set(item.run, watch)
    for (const [run, oldest] of open) {
      if (open.size <= OPEN_RUNS) break
      open.delete(run)
      onRun(oldest.toDraft())
    }
    return watch
  }

  let run: Run | undefined
  let watch: GuardedRun | undefined
  let unit: Unit | undefined
  try {
    for await (const items of transcript) {
      unit ??= await unitOf(path, transcript.summary.format ?? '')
      for (const item of items) {
        if (item.run !== run || !watch) {
          run = item.run
          watch = watchOf(item, unit)
        }
        watch.take(item)
      }
      onProgress?.(items.at(-1)?.offset ?? 0)
    }
    for (const watch of open.values()) onRun(watch.toDraft())
  } catch (error) {
    return { ...toFileReport(transcript.summary), problem: toFailure(error) }
  }
  return toFileReport(transcript.summary)
}

/** The counts of a transcript, as a report has them. */
function toFileReport(summary: Summary): FileReport {
  const { path, format, records, used, skipped, bad, badRecords, events, runs, problem } = summary
  return {
    path,
    ...(format !== undefined && { format }),
    records,
    used,
    skipped,
    bad,
    badRecords,
    events,
    runs,
    ...(problem && { problem }),
  }
}
