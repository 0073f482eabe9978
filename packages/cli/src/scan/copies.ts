import { least, total } from './amounts.js'
import { certainOf, type LoopReport, type RunReport } from './run-report.js'

/**
 * The runs with each loop in one of them only. A session that continues in a new file begins with a copy of the
 * old one, and a sub-agent may stand in two files: what was paid once is told once, where most of it is.
 */
export function withoutCopies(runs: readonly RunReport[]): RunReport[] {
  const owners = new Map<string, Owned>()
  for (const run of runs) {
    for (const loop of run.loops) {
      const key = keyOf(run, loop)
      const owner = key === undefined ? undefined : owners.get(key)
      if (key !== undefined && (!owner || isBetter({ run, loop }, owner))) {
        owners.set(key, { run, loop })
      }
    }
  }
  return runs.map((run) => {
    const loops = run.loops.filter((loop) => {
      const key = keyOf(run, loop)
      return key === undefined || owners.get(key)?.loop === loop
    })
    return loops.length === run.loops.length ? run : withLoops(run, loops)
  })
}

/** The run with these of its loops. */
export const withLoops = (run: RunReport, loops: LoopReport[]): RunReport => ({
  ...run,
  loops,
  wasted: least(total(certainOf(loops).map(({ wasted }) => wasted)), run.wasted),
})

/** The same loop that began at the same moment; without a time nothing can be said. */
const keyOf = ({ program, format }: RunReport, { agent, identity, began }: LoopReport) =>
  began.at === undefined ? undefined : `${program ?? format} ${began.at} ${agent ?? ''} ${identity}`

/** Certain, or longer, or as long in the file that ended first, which is the one it happened in. */
function isBetter(one: Owned, other: Owned): boolean {
  if (one.loop.certainty !== other.loop.certainty) return one.loop.certainty === 'certain'
  const longer = (one.loop.last.at ?? 0) - (other.loop.last.at ?? 0)
  if (longer !== 0) return longer > 0
  const later = (one.run.endedAt ?? 0) - (other.run.endedAt ?? 0)
  return later === 0 ? one.run.path < other.run.path : later < 0
}

interface Owned {
  run: RunReport
  loop: LoopReport
}
