/** What the events cost so far, with marks along the way, so that the cost of a stretch can be told. */
export interface Tally {
  characters: number
  tokens: number
  /** number of the event, characters and tokens before it */
  marks: [number: number, characters: number, tokens: number][]
}

// one mark a step: as far back as the log of steps goes
const MAX_MARKS = 192

export const startTally = (): Tally => ({ characters: 0, tokens: 0, marks: [] })

/** Remembers where the counts stood before this event. */
export function mark(tally: Tally, number: number): void {
  tally.marks.push([number, tally.characters, tally.tokens])
  if (tally.marks.length > MAX_MARKS) tally.marks.shift()
}

/** What was spent from this event on; tokens only where any were told. */
export function spentSince(tally: Tally, since: number): { characters: number; tokens?: number } {
  const start = tally.marks.findLast(([number]) => number <= since) ?? [0, 0, 0]
  const characters = tally.characters - start[1]
  return tally.tokens > 0 ? { characters, tokens: tally.tokens - start[2] } : { characters }
}
