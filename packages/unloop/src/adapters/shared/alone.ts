import type { Run } from '../../host/run.js'

interface Turns {
  /** the runs that were seen last, newest first */
  last: unknown[]
  isShared: boolean
}

const turns = new WeakMap<Run, Turns>()

// more runs than anybody lets share a guard by mistake
const MAX_RUNS = 1000

/** Notes which run is speaking; false if two take turns, which one guard cannot watch. */
export function isAlone(run: Run, speaker: unknown): boolean {
  const state = turns.get(run) ?? { last: [], isShared: false }
  turns.set(run, state)
  if (state.isShared || state.last[0] === speaker) return !state.isShared
  // one that spoke before another and speaks again: they run at the same time
  state.isShared = state.last.includes(speaker)
  if (state.isShared) run.giveUp('two runs at once share this guard')
  state.last.unshift(speaker)
  if (state.last.length > MAX_RUNS) state.last.pop()
  return !state.isShared
}
