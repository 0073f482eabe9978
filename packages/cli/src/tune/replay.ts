import { type Run, readTranscript, type TranscriptItem } from '@unloop/transcripts'
import { createGuard, type Guard } from 'unloop'
import { type Course, createCourse } from '../scan/ending.js'
import { type FaultReport, toFaultReport } from '../troubles.js'
import type { Level } from './limits.js'
import type { Variant } from './variants.js'

/** Runs, and those of them that ended well without any help. */
export interface Tally {
  runs: number
  finished: number
}

/** What a variant would have done with all that was replayed. */
export interface Outcome extends Record<Level, Tally> {
  variant: Variant
  /** what came after the loops were evident */
  saved: { events: number; tokens: number }
}

export const startOutcome = (variant: Variant): Outcome => ({
  variant,
  advice: { runs: 0, finished: 0 },
  stops: { runs: 0, finished: 0 },
  saved: { events: 0, tokens: 0 },
})

/** A loop of a run: where it was seen first and last, and what came after it was evident. */
interface Loop {
  agent?: string
  from: number
  lastAt: number
  lastTokens: number
  isStopped: boolean
  saved: { events: number; tokens: number }
}

interface Replay {
  guards: Guard[]
  loops: Map<string, Loop>[]
  tokens: number
  course: Course
}

interface ReplayOptions {
  signal: AbortSignal
  isWanted(run: Run): boolean
  /** Called when a part of a guard fails. */
  onFault(fault: FaultReport): void
  /** Called from time to time with how much of it has been read. */
  onProgress(bytes: number): void
}

// see scan-transcript.ts
const OPEN_RUNS = 16

/** Shows a transcript to all variants at once and adds to what they have done so far. */
export async function replay(
  path: string,
  outcomes: readonly Outcome[],
  { signal, isWanted, onFault, onProgress }: ReplayOptions,
): Promise<number> {
  const open = new Map<Run, Replay>()
  let runs = 0
  const end = (one: Replay) => {
    runs++
    for (const [index, outcome] of outcomes.entries())
      addTo(outcome, one, one.loops[index] ?? new Map())
  }
  for await (const items of readTranscript(path, { signal })) {
    for (const item of items) {
      if (!isWanted(item.run)) continue
      const one = open.get(item.run) ?? start(outcomes, onFault)
      // the one used last stands last, so that the first is the one to give up
      open.delete(item.run)
      open.set(item.run, one)
      take(one, item)
      for (const [run, oldest] of open) {
        if (open.size <= OPEN_RUNS) break
        open.delete(run)
        end(oldest)
      }
    }
    onProgress(items.at(-1)?.offset ?? 0)
  }
  for (const one of open.values()) end(one)
  return runs
}

const start = (outcomes: readonly Outcome[], onFault: ReplayOptions['onFault']): Replay => ({
  guards: outcomes.map(({ variant }) =>
    createGuard({ ...variant.guard, onFault: (fault) => onFault(toFaultReport(fault)) }),
  ),
  loops: outcomes.map(() => new Map()),
  tokens: 0,
  course: createCourse(),
})

function take(one: Replay, item: TranscriptItem): void {
  const { event, number } = item
  one.course.add(item)
  if (event.type === 'usage') one.tokens += (event.inputTokens ?? 0) + (event.outputTokens ?? 0)
  for (const [index, guard] of one.guards.entries()) {
    const finding = guard.observe(event)
    if (!finding) continue
    const loops = one.loops[index] as Map<string, Loop>
    const name = `${finding.agent ?? ''} ${finding.identity}`
    const known = loops.get(name)
    const saved = known?.saved ?? { events: 0, tokens: 0 }
    // the work between two times of the same loop would have been done anyway
    if (known && finding.firstEvent <= known.lastAt) {
      saved.events += number - known.lastAt
      saved.tokens += one.tokens - known.lastTokens
    }
    loops.set(name, {
      ...(finding.agent !== undefined && { agent: finding.agent }),
      from: known?.from ?? finding.firstEvent,
      lastAt: number,
      lastTokens: one.tokens,
      isStopped: known?.isStopped === true || finding.action === 'stop' || finding.action === 'ask',
      saved,
    })
  }
}

function addTo(outcome: Outcome, { course }: Replay, loops: Map<string, Loop>): void {
  if (loops.size === 0) return
  const stretches = [...loops.values()].map((loop) => ({ ...loop, to: loop.lastAt }))
  const finished = course.endingOf(stretches) === 'finished' ? 1 : 0
  const tallies = stretches.some(({ isStopped }) => isStopped)
    ? [outcome.advice, outcome.stops]
    : [outcome.advice]
  for (const tally of tallies) {
    tally.runs++
    tally.finished += finished
  }
  for (const { saved } of loops.values()) {
    outcome.saved.events += saved.events
    outcome.saved.tokens += saved.tokens
  }
}
