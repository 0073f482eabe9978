import type { Chant, Repeat } from './chant.js'
import { type ChantOptions, lapLimit } from './chant-limits.js'
import { type Folded, literalPiece, RING_MASK } from './folded.js'
import { ringName, ringText } from './ring.js'
import { kindOfText, NUMBER } from './text-kind.js'

/** Looks at a period that has held for a while: is it too much of what it is? If not, when to look again. */
export function look(chant: Chant, taken: number, options: ChantOptions): Repeat | undefined {
  const { run, exactFrom, end } = chant
  const period = shortestLap(chant, chant.period)
  const characters = chant.characters + taken - chant.runStart
  // a short lap says little of what it is part of, a long one says enough in its last lines
  const shown = Math.min(Math.max(period, 96), run, 400)
  const kind = kindOfText(ringText(chant, end - shown, end))
  const text = kind !== 'prose' && isHammered(chant, period) ? 'code' : kind
  const times = 2 ** chant.found
  // units of a run that is too long, and characters for each unit
  let enough = run + MAX_LOOK_AHEAD
  const density = characters / run
  for (const exact of [true, false]) {
    const held = exact ? run - exactFrom : run
    const limit = lapLimit(options, text, period, exact)
    const needed = Math.max((limit.count - 1) * period, limit.characters / density - period) * times
    if (held >= needed) {
      chant.period = 0
      chant.found++
      return {
        kind: exact ? 'chant' : 'counting',
        text,
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

// the kind of a text may change while it goes on
const MAX_LOOK_AHEAD = 1024

/** What stood there to the letter, and a name for it. */
export const describe = (folded: Folded, from: number, to: number, laps: number) => ({
  sample: literalPiece(folded, from, to, laps),
  name: ringName(folded, from, to),
})

/** The period itself, or a part of it if that repeats already: what was found may be several laps. */
function shortestLap({ units, end }: Folded, period: number): number {
  if (period > 512) return period
  for (let lap = 1; lap <= period / 2; lap++) {
    if (period % lap !== 0) continue
    let same = lap
    while (
      same < period &&
      units[(end - 1 - same) & RING_MASK] === units[(end - 1 - same + lap) & RING_MASK]
    ) {
      same++
    }
    if (same === period) return lap
  }
  return period
}

/** One word with its marks again and again; a column of `true` or `null` may well be data. */
function isHammered(folded: Folded, period: number): boolean {
  if (period > 16) return false
  const lap = ringText(folded, folded.end - period, folded.end)
  const letters = lap.replace(/[^a-z0-9]/gi, '')
  // a row of a table
  if (/[,|;\t].*[,|;\t]/s.test(lap) || lap.includes(String.fromCharCode(NUMBER))) return false
  return (
    5 * letters.length >= 2 * lap.length &&
    !/^(?:true|false|null|none|nan)+$/i.test(letters.repeat(2))
  )
}
