import type { PackedEntries } from './packed-entries.js'
import type { LoopReport, RunReport } from './run-report.js'
import type { Span } from './spans.js'

/** What can be told of a run only when the others are known, too: they may be copies of one another. */
type Settled =
  | 'counts'
  | 'tokens'
  | 'spent'
  | 'wasted'
  | 'pricing'
  | 'unpricedTokens'
  | 'copied'
  | 'parts'
  | 'loops'

/** A run by itself, with its books open. */
export interface RunDraft {
  run: Omit<RunReport, Settled>
  /** the session it was started from or goes on with */
  parent?: string
  events: number
  entries: PackedEntries
  loops: LoopDraft[]
}

/** A loop, and the events that belong to it. */
export interface LoopDraft {
  loop: LoopReport
  spans: Span[]
}
