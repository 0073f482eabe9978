import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { guardContender } from './contenders.js'
import { judgeRun } from './judge-run.js'
import type { Outcome } from './metrics.js'
import { type Move, nameOf, settingsOf } from './moves.js'
import { readSources, type Section, type SourceRun, type Sources } from './sources.js'
import { touchingMoves } from './touched.js'

/** The outcome of a run with the defaults, and with each single move that changes anything. */
export interface SweptRun {
  sections: Section[]
  usual: Outcome
  /** by the name of the move */
  moved: Map<string, Outcome>
}

/** The input of a worker: its share of the runs, one in `of`. */
export interface SweepJob {
  sources: Sources
  wanted: readonly Section[]
  moves: readonly Move[]
  share: number
  of: number
}

const usual = guardContender('default')

/** Watches every run with the defaults and with each move alone, on all cores. */
export async function sweep(
  sources: Sources,
  wanted: readonly Section[],
  moves: readonly Move[],
): Promise<SweptRun[]> {
  const of = Math.max(1, Math.min(8, availableParallelism()))
  const shares = await Promise.all(
    Array.from({ length: of }, (_, share) => startWorker({ sources, wanted, moves, share, of })),
  )
  // back in the order of the sources
  const longest = Math.max(...shares.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) =>
    shares.flatMap((list) => list[index] ?? []),
  ).flat()
}

/** The work of one worker. */
export async function sweepShare({
  sources,
  wanted,
  moves,
  share,
  of,
}: SweepJob): Promise<SweptRun[]> {
  const swept: SweptRun[] = []
  let index = 0
  for await (const run of readSources(sources)) {
    if (!run.sections.some((section) => wanted.includes(section))) continue
    if (index++ % of === share) swept.push(sweepRun(run, moves))
  }
  return swept
}

export function sweepRun(run: SourceRun, moves: readonly Move[]): SweptRun {
  const moved = new Map<string, Outcome>()
  for (const move of touchingMoves(run.events, moves)) {
    moved.set(nameOf(move), judgeRun(guardContender(nameOf(move), settingsOf([move])), run))
  }
  return { sections: run.sections, usual: judgeRun(usual, run), moved }
}

function startWorker(job: SweepJob): Promise<SweptRun[]> {
  const worker = new Worker(new URL('./sweep-worker.js', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 2000 },
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
