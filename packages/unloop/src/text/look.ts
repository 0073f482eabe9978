import { type ChantOptions, EMPTY_LINE, type LapKind, lapLimit } from './chant-limits.js'
import type { Chant, Repeat } from './chant-state.js'
import { type Folded, literalPiece } from './folded.js'
import { followList, kindOfLap, MAX_LAP, shortestLap } from './lap.js'
import { ringName, ringText } from './ring.js'
import { areRows } from './rows.js'
import { kindOfText } from './text-kind.js'

/** Judges a period that has held for a while: reports it if it is too long for its kind, else sets when to look again. */
export function look(chant: Chant, taken: number, options: ChantOptions): Repeat | undefined {
  const { run, exactFrom, end } = chant
  const period = shortestLap(chant)
  const characters = chant.characters + taken - chant.runStart
  // a short lap says little about its text; for a long one its last lines are enough
  const shown = Math.min(Math.max(period, 96), run, 400)
  const text = kindOfLap(
    kindOfText(ringText(chant, end - shown, end)),
    period > MAX_LAP ? '' : ringText(chant, end - period, end),
  )
  if ((text === 'list' || text === 'values') && exactFrom > 0 && followList(chant, period))
    return look(chant, taken, options)
  const times = 2 ** chant.found
  // units of a run that is too long, and characters per unit
  let enough = run + MAX_LOOK_AHEAD
  const density = characters / run
  const weight = text === 'lines' ? Math.max(density, EMPTY_LINE / period) : density
  const unitsOf = (kind: LapKind, exact: boolean) => {
    const limit = lapLimit(options, kind, period, exact)
    return Math.max((limit.count - 1) * period, limit.characters / weight - period) * times
  }
  for (const exact of [true, false]) {
    const held = exact ? run - exactFrom : run
    let needed = unitsOf(text, exact)
    if (
      held >= needed &&
      areRows(ringText(chant, end - Math.min(run, 2 * period + 256, 2048), end), exact)
    ) {
      needed = unitsOf('rows', exact)
    }
    if (held >= needed) {
      chant.period = 0
      chant.found++
      return {
        kind: exact ? 'chant' : 'counting',
        period,
        count: Math.floor(held / period) + 1,
        characters: Math.round(held * density) + period,
        ...describe(chant, end - period, end, Math.floor(held / period) + 1),
      }
    }
    enough = Math.min(enough, Math.ceil(run + needed - held))
  }
  chant.nextLook = Math.max(run + 1, enough)
}

// the kind of a text may change as it continues
const MAX_LOOK_AHEAD = 1024

/** An exact sample of the repeat, and a name for it. */
export const describe = (folded: Folded, from: number, to: number, laps: number) => ({
  sample: literalPiece(folded, from, to, laps),
  name: ringName(folded, from, to),
})
