/** What the events cost so far, with marks along the way to compute the cost of a stretch. */
export interface Tally {
  characters: number
  tokens: number
  /** number of an event, with the characters and tokens before it */
  marks: [number: number, characters: number, tokens: number][]
}

// one mark per step: as far back as the log of rounds goes
const MAX_MARKS = 192

export const startTally = (): Tally => ({ characters: 0, tokens: 0, marks: [] })

/** Remembers the counts before this event. */
export function mark(tally: Tally, number: number): void {
  tally.marks.push([number, tally.characters, tally.tokens])
  if (tally.marks.length > MAX_MARKS) tally.marks.shift()
}

/** What was spent from this event on; tokens only if any were reported. */
export function spentSince(tally: Tally, since: number): { characters: number; tokens?: number } {
  const start = tally.marks.findLast(([number]) => number <= since) ?? [0, 0, 0]
  const characters = tally.characters - start[1]
  return tally.tokens > 0 ? { characters, tokens: tally.tokens - start[2] } : { characters }
}
