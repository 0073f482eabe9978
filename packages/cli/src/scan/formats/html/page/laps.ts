import type { Evidence, LoopReport } from '../../../run-report.js'

/** A piece of a text, and whether another lap has something else there. */
export interface Piece {
  text: string
  isNew: boolean
}

/** One event of a lap; `isSame` if the lap before has the very same. */
export interface Cell {
  evidence: Evidence
  pieces: Piece[]
  isSame: boolean
}

/** The events that showed a loop, lap beside lap: `laps[lap][slot]`. */
export function lapsOf({ evidence, period }: Pick<LoopReport, 'evidence' | 'period'>): Cell[][] {
  const laps: Evidence[][] = []
  const shown = evidence.filter(({ kind }) => kind !== 'other').map(withoutPrefix)
  const calls = shown.some(({ kind }) => kind === 'call') ? Math.max(1, period) : 0
  let called = 0
  for (const one of shown) {
    if (one.kind === 'call' && calls > 0) {
      if (called % calls === 0) laps.push([])
      called++
    } else if (calls === 0 || laps.length === 0) laps.push([])
    laps.at(-1)?.push(one)
  }
  return laps.map((lap, index) => toCells(lap, laps[index - 1] ?? []))
}

/** The row says already that it is an answer. */
const withoutPrefix = (one: Evidence): Evidence => ({
  ...one,
  text: one.text.replace(/^(?:calls |answer: |error: |says: |thinks: |person: )/, ''),
})

function toCells(lap: readonly Evidence[], before: readonly Evidence[]): Cell[] {
  return lap.map((evidence, slot) => {
    const other = before[slot]?.text
    const isSame = other === evidence.text
    const pieces =
      other === undefined || isSame
        ? [{ text: evidence.text, isNew: false }]
        : diff(other, evidence.text)
    return { evidence, pieces, isSame }
  })
}

/** What both begin and end with is the same; what is between is new. */
function diff(before: string, after: string): Piece[] {
  const old = wordsOf(before)
  const now = wordsOf(after)
  let start = 0
  while (start < now.length && start < old.length && now[start] === old[start]) start++
  let end = 0
  while (end < Math.min(now.length, old.length) - start && now.at(-1 - end) === old.at(-1 - end))
    end++
  return [
    { text: now.slice(0, start).join(''), isNew: false },
    { text: now.slice(start, now.length - end).join(''), isNew: true },
    { text: now.slice(now.length - end).join(''), isNew: false },
  ].filter(({ text }) => text !== '')
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gu) ?? []
