import { followTranscript } from './follow.js'
import { formats } from './formats.js'
import type { Run } from './transcript.js'
import type { WatchOptions } from './watch.js'

export interface Beginning {
  /** what happened since then is new */
  newsSince: number
  /** the transcript was there when the watching started */
  isOld: boolean
}

/**
 * Follows one transcript until the signal comes. False if it is of no interest, true if it can be followed no
 * further, which a write may change.
 */
export async function watchOne(
  path: string,
  { newsSince, isOld }: Beginning,
  { signal, accepts = () => true, onItem, onFollow, onProblem }: WatchOptions,
): Promise<boolean | undefined> {
  const transcript = followTranscript(path, { signal })
  let caughtUp = 0
  // how often we had caught up when a run began; one from before grows, and what it gets is new whatever its time
  const began = new WeakMap<Run, number>()
  for await (const items of transcript) {
    if (items.length === 0) {
      caughtUp++
      onFollow?.(path)
    }
    for (const item of items) {
      const { run, event } = item
      if (!accepts(run)) {
        if (isInDatabase(run)) continue
        return false
      }
      const since = began.get(run) ?? caughtUp
      began.set(run, since)
      const isWritten = event.at === undefined ? caughtUp > 0 || !isOld : since < caughtUp
      await onItem(item, { path, isNews: isWritten || (event.at ?? 0) >= newsSince })
    }
  }
  if (signal.aborted) return
  const { problem } = transcript.summary
  if (problem) onProblem?.({ path, message: problem.message })
  return true
}

const isInDatabase = ({ format }: Run) =>
  formats.find(({ name }) => name === format)?.container === 'database'
