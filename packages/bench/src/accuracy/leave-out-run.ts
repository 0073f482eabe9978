import { guardContender } from './contenders.js'
import { judgeRun } from './judge-run.js'
import { type LeftOut, leaveEachOut, type Watch } from './leave-out.js'
import { addOutcome, type ContenderResult } from './measure.js'
import type { Outcome } from './metrics.js'
import { listMoves, nameOf, settingsOf } from './moves.js'
import { readSources, type Section, type SourceRun, type Sources } from './sources.js'
import { type SweptRun, sweep } from './sweep.js'

const leftOutName = 'unloop, limits chosen on other sources'

const WANTED: Section[] = ['labelled', 'successful', 'native', 'ordinary', 'invented', 'calls']

// of each kind of written run; they come from no source, so they take part in every choice
const WRITTEN = 2

/** Leaves each source out in turn. Nobody would choose limits at which honest work that was written to look like a loop is stopped. */
export async function measureLeftOut(sources: Sources): Promise<LeftOut[]> {
  const recorded = { ...sources, perKind: WRITTEN, sessions: [], degenerate: [] }
  const moves = listMoves()
  const swept = await sweep(recorded, WANTED, moves)
  return leaveEachOut(swept, moves, createWatch(swept, await collectRuns(recorded, swept)))
}

/** The same as a result to compare with those of the contenders; every source was measured once. */
export function leftOutResult(left: readonly LeftOut[]): ContenderResult {
  const result: ContenderResult = { name: leftOutName, outcomes: {} }
  for (const { measured } of left) {
    for (const { sections, outcome } of measured) addOutcome(result, sections, outcome)
  }
  return result
}

/** The runs that two or more moves change: they are watched again when moves are combined. */
async function collectRuns(
  sources: Sources,
  swept: readonly SweptRun[],
): Promise<Map<SweptRun, SourceRun>> {
  const runs = new Map<SweptRun, SourceRun>()
  let index = 0
  for await (const run of readSources(sources)) {
    if (!run.sections.some((section) => WANTED.includes(section))) continue
    const known = swept[index++]
    if (known && known.moved.size > 1) runs.set(known, run)
  }
  return runs
}

function createWatch(swept: readonly SweptRun[], runs: ReadonlyMap<SweptRun, SourceRun>): Watch {
  const known = new Map(swept.map((run) => [run, new Map<string, Outcome>()]))
  return (run, moves) => {
    const name = moves.map(nameOf).sort().join(', ')
    const before = known.get(run)?.get(name)
    if (before) return before
    const source = runs.get(run)
    if (!source) throw new Error(`${run.usual.id} was not kept`)
    const outcome = judgeRun(guardContender(name, settingsOf(moves)), source)
    known.get(run)?.set(name, outcome)
    return outcome
  }
}
