import { createRecent } from '../recent.js'
import type { Run, TranscriptItem } from '../transcript.js'
import { type Clean, type Entry, isShown, toEntry } from './entry.js'

/** What is shown of a transcript, and how much stands before and after it. */
export interface Extract {
  entries: Entry[]
  before: number
  after: number
  /** times of the first and last event, shown or not */
  startedAt: number | undefined
  endedAt: number | undefined
}

export interface ExtractOptions {
  /** only the run with this session */
  session?: string | undefined
  /** a line of the source; the end by default */
  around?: number | undefined
  /** how many entries are shown before that line, and from it on */
  window: number
  clean: Clean
}

// an answer comes soon after its call
const REMEMBERED_CALLS = 1000

/** Reads a transcript to its end and keeps what stands around a line: no more than two windows of it. */
export async function extract(
  transcript: AsyncIterable<TranscriptItem[]> | Iterable<TranscriptItem[]>,
  { session, around = Number.POSITIVE_INFINITY, window, clean }: ExtractOptions,
): Promise<Extract> {
  const tools = createRecent<string>(REMEMBERED_CALLS)
  const toolOf = ({ id }: { id?: string }) => (id === undefined ? undefined : tools.get(id))
  const isWanted = (run: Run) => session === undefined || run.session === session
  const found: Extract = {
    ...{ entries: [], before: 0, after: 0 },
    ...{ startedAt: undefined, endedAt: undefined },
  }
  // the end has nothing behind it, so all that is shown stands before it
  const most = around === Number.POSITIVE_INFINITY ? 2 * window : window
  let isReached = false
  let shownAfter = 0
  for await (const items of transcript) {
    for (const item of items) {
      const { event, run, line } = item
      if (!isWanted(run)) continue
      found.startedAt ??= event.at
      found.endedAt = event.at ?? found.endedAt
      if (event.type === 'tool-call' && event.id !== undefined) tools.set(event.id, event.name)
      if (!isShown(event)) continue
      isReached ||= line >= around
      if (shownAfter === window) {
        found.after++
        continue
      }
      if (isReached) shownAfter++
      found.entries.push(toEntry(item, toolOf, clean))
      // cut in large pieces: to take one off the front each time costs as much as all that are left
      if (!isReached && found.entries.length > 2 * most) drop(found, most)
    }
  }
  drop(found, most + shownAfter)
  return found
}

/** Drops all but the last entries. */
function drop(found: Extract, kept: number): void {
  const surplus = Math.max(0, found.entries.length - kept)
  found.entries.splice(0, surplus)
  found.before += surplus
}
