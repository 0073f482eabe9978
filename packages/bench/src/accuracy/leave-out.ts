import { flaggedOf, groupBy, type Outcome, summarise } from './metrics.js'
import { type Move, nameOf } from './moves.js'
import type { Section } from './sources.js'
import type { SweptRun } from './sweep.js'

/** What became of a run when several moves were made together. */
export type Watch = (run: SweptRun, moves: readonly Move[]) => Outcome

/** One source, measured with limits that were chosen without it. */
export interface LeftOut {
  source: string
  chosen: Move[]
  measured: { sections: Section[]; outcome: Outcome }[]
}

/** Chooses the limits on all sources but one and measures that one, for each labeled source. */
export function leaveEachOut(
  runs: readonly SweptRun[],
  moves: readonly Move[],
  watch: Watch,
): LeftOut[] {
  const labelled = runs.filter(({ sections }) => sections.includes('labelled'))
  const sources = [...groupBy(labelled, ({ usual }) => usual.family).keys()]
  return sources.map((source) => {
    const chosen = chooseMoves(
      runs.filter(({ usual }) => usual.family !== source),
      moves,
      watch,
    )
    // a text may come from the same source; it has no loop and was not left out
    const own = runs.filter(
      ({ usual, sections }) => usual.family === source && !sections.includes('ordinary'),
    )
    return {
      source,
      chosen,
      measured: own.map((run) => ({
        sections: run.sections,
        outcome: outcomeOf(run, chosen, watch),
      })),
    }
  })
}

/**
 * A search from the defaults, option by option: the moves that help alone are tried from the most helpful on,
 * and each is made if it still helps after those before it.
 */
export function chooseMoves(
  runs: readonly SweptRun[],
  moves: readonly Move[],
  watch: Watch,
): Move[] {
  const score = (made: readonly Move[]) =>
    scoreOf(runs.map((run) => ({ sections: run.sections, outcome: outcomeOf(run, made, watch) })))
  let best = score([])
  const helpful = moves
    .map((move) => ({ move, gain: score([move]) - best }))
    .filter(({ gain }) => gain > NOTHING)
    .sort((a, b) => b.gain - a.gain)
  const chosen: Move[] = []
  for (const { move } of helpful) {
    if (chosen.some((made) => isSameOption(made, move))) continue
    const reached = score([...chosen, move])
    if (reached <= best + NOTHING) continue
    chosen.push(move)
    best = reached
  }
  return chosen
}

// a quarter of what one loop is worth among about a hundred: less than that is noise
const NOTHING = 0.001

const isSameOption = (one: Move, other: Move) =>
  one.detector === other.detector && one.option === other.option

/**
 * How good a choice of limits is: the F1 of advice, half the share of wanted stops made, and a little for advice
 * that comes early. Stopping honest work, recorded or written, costs about as much as missing ten loops, flagging an
 * unlabeled session or an ordinary text as much as missing two.
 */
export function scoreOf(runs: readonly { sections: Section[]; outcome: Outcome }[]): number {
  const of = (...wanted: Section[]) =>
    runs.flatMap(({ sections, outcome }) =>
      sections.some((section) => wanted.includes(section)) ? [outcome] : [],
    )
  const labelled = of('labelled')
  const quiet = of('native', 'ordinary')
  const honest = of('native', 'ordinary', 'successful', 'invented', 'calls').filter(
    ({ loop }) => !loop,
  )
  const { recall, falseAlarms } = summarise(labelled)
  const stops = summarise(labelled, 'stops')
  const loops = Math.max(1, recall.of)
  const f1 = (2 * recall.hits) / Math.max(1, recall.hits + recall.of + falseAlarms.hits)
  const late = labelled.reduce(
    (sum, { advice: { delay = 0 } }) => sum + Math.min(20, Math.max(0, delay)),
    0,
  )
  const stopped = stops.falseAlarms.hits + flaggedOf(honest, 'stops').hits
  return (
    f1 +
    0.5 * (stops.recall.hits / Math.max(1, stops.recall.of)) -
    0.002 * (late / loops) -
    10 * (stopped / loops) -
    2 * (flaggedOf(quiet, 'advice').hits / loops)
  )
}

/** Moves that change nothing in a run alone are assumed to change nothing together. */
function outcomeOf(run: SweptRun, made: readonly Move[], watch: Watch): Outcome {
  const touching = made.filter((move) => run.moved.has(nameOf(move)))
  const [first] = touching
  if (!first) return run.usual
  if (touching.length === 1) return run.moved.get(nameOf(first)) ?? run.usual
  return watch(run, touching)
}
