import { stat } from 'node:fs/promises'
import { type Run, type TranscriptItem, watchTranscripts } from '@unloop/transcripts'
import type { GuardOptions } from 'unloop'
import { listPrices } from 'unloop/prices'
import { homeOf } from '../home-of.js'
import type { Host } from '../host.js'
import type { FaultReport } from '../troubles.js'
import { createGuardedRun, type GuardedRun, type Seen } from './guarded-run.js'
import type { Unit } from './run-report.js'
import { unitOf } from './unit.js'

/** A loop that was seen while it happened. */
export interface Alarm extends Seen {
  item: TranscriptItem
  path: string
  /** the number of the file, which it keeps when it is renamed */
  inode: number | undefined
  unit: Unit
}

export interface WatchLoopsOptions {
  guard: GuardOptions
  agents?: readonly string[]
  signal: AbortSignal
  /** Called when what is written from then on is news. */
  onReady(): void
  onAlarm(alarm: Alarm): void
  /** Called for loops from before, which are known but not reported. */
  onKnown(alarm: Alarm): void
  onProblem(problem: { path: string; message: string }): void
  /** Called when a part of the guard fails. */
  onFault(path: string, fault: FaultReport): void
  /** Called for each transcript once everything in it has been read. */
  onFollow(path: string): void
}

// the person who runs the command is looking at it
const SCAN_MS = 1000

/** Guards each run of the transcripts that agents are writing, until the signal comes. */
export function watchLoops(
  host: Host,
  paths: readonly string[],
  { guard, agents, signal, onAlarm, onKnown, onFault, ...others }: WatchLoopsOptions,
): Promise<void> {
  const runs = new WeakMap<Run, { guarded: GuardedRun; unit: Unit }>()

  async function runOf({ run }: TranscriptItem, path: string) {
    const known = runs.get(run)
    if (known) return known
    const unit = await unitOf(path, run.format)
    const guarded = createGuardedRun(path, unit, {
      guard,
      prices: listPrices,
      onFault: (fault) => onFault(path, fault),
    })
    runs.set(run, { guarded, unit })
    return { guarded, unit }
  }

  return watchTranscripts({
    paths,
    env: host.env,
    platform: host.platform,
    home: homeOf(host),
    ...(agents && { programs: agents }),
    signal,
    scanMs: SCAN_MS,
    async onItem(item, { path, isNews }) {
      const { guarded, unit } = await runOf(item, path)
      const seen = guarded.take(item)
      if (!seen) return
      const inode = (await stat(path).catch(() => undefined))?.ino
      const alarm = { ...seen, item, path, inode, unit }
      if (isNews) onAlarm(alarm)
      else onKnown(alarm)
    },
    onReady: others.onReady,
    onFollow: others.onFollow,
    onProblem: others.onProblem,
  })
}
