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

/** The events that showed a loop: what came before it, and its laps side by side. */
export interface Laps {
  before: Evidence[]
  /** how many laps there are */
  count: number
  /** the same moment of every lap, and what happened then, if anything did */
  rows: { kind: Evidence['kind']; cells: (Cell | undefined)[] }[]
}

/** Puts the laps of a loop side by side. */
export function lapsOf({ evidence, period }: Pick<LoopReport, 'evidence' | 'period'>): Laps {
  const shown = evidence.filter(({ kind }) => kind !== 'other').map(withoutPrefix)
  const first = shown.findIndex(({ kind }) => kind === 'call')
  // a loop of words has no calls: every text is a lap
  const laps = first < 0 ? shown.map((one) => [one]) : cut(shown.slice(first), Math.max(1, period))
  const slots = laps.map(toSlots)
  const names = [...new Set(slots.flatMap((lap) => [...lap.keys()]))].sort()
  return {
    before: first < 0 ? [] : shown.slice(0, first),
    count: laps.length,
    rows: names.map((name) => {
      const cells = slots.map((lap, index) => toCell(lap.get(name), slots[index - 1]?.get(name)))
      return { kind: cells.find((cell) => cell)?.evidence.kind ?? 'other', cells }
    }),
  }
}

/** The row says already that it is an answer. */
const withoutPrefix = (one: Evidence): Evidence => ({
  ...one,
  text: one.text.replace(/^(?:calls |answer: |error: |says: |thinks: |person: )/, ''),
})

/** Laps of so many calls. */
function cut(evidence: readonly Evidence[], calls: number): Evidence[][] {
  const laps: Evidence[][] = []
  let called = 0
  for (const one of evidence) {
    if (one.kind === 'call' && called++ % calls === 0) laps.push([])
    laps.at(-1)?.push(one)
  }
  return laps
}

/** The events of a lap by call and kind, so that a word in between moves nothing; names are in the order of rows. */
function toSlots(lap: readonly Evidence[]): Map<string, Evidence> {
  const slots = new Map<string, Evidence>()
  let call = 0
  for (const one of lap) {
    if (one.kind === 'call') call++
    const rank = one.kind === 'call' ? 0 : one.kind === 'answer' || one.kind === 'error' ? 1 : 2
    let nth = 0
    // no more than 16 events are kept
    const name = () => [call, rank, nth].map((part) => `${part}`.padStart(3, '0')).join(' ')
    while (slots.has(name())) nth++
    slots.set(name(), one)
  }
  return slots
}

function toCell(evidence: Evidence | undefined, before: Evidence | undefined): Cell | undefined {
  if (!evidence) return undefined
  const isSame = before?.text === evidence.text
  const isFirst = before === undefined || isSame
  const pieces = isFirst
    ? [{ text: evidence.text, isNew: false }]
    : diff(before.text, evidence.text)
  return { evidence, pieces, isSame }
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
