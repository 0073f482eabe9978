import type { AgentEvent } from 'unloop'

/** The course of a run in at most 240 letters, however long it is. */
export interface Timeline {
  add(event: AgentEvent): void
  toReport(): { size: number; marks: string }
}

// as many as a row of a report has room for
const LETTERS = 240

/** What each event is drawn as: a space is nothing to see. */
const MARKS: Partial<Record<AgentEvent['type'], string>> = {
  prompt: 'p',
  'tool-call': 'c',
  'tool-result': 'a',
  text: 't',
  reasoning: 'r',
  handoff: 'p',
  compaction: 'x',
}

/** Of several events in one letter the last of these is kept. */
const ORDER = ' ratcepx'

/** An empty timeline. */
export function createTimeline(): Timeline {
  let size = 1
  let marks: string[] = []
  /** events in the last letter */
  let filled = 0
  return {
    add(event) {
      const mark = event.type === 'tool-result' && event.isError ? 'e' : (MARKS[event.type] ?? ' ')
      if (filled === size || marks.length === 0) {
        marks.push(mark)
        filled = 0
      } else marks.push(heavier(marks.pop(), mark))
      filled++
      if (marks.length <= LETTERS || filled < size) return
      const pairs = marks.length % 2 === 0
      marks = marks.flatMap((one, i) => (i % 2 === 0 ? [heavier(one, marks[i + 1])] : []))
      if (pairs) filled += size
      size *= 2
    },
    toReport: () => ({ size, marks: marks.join('') }),
  }
}

const heavier = (one = ' ', other = ' ') =>
  ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other
