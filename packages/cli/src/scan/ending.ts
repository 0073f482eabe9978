import type { TranscriptItem } from '@unloop/transcripts'
import type { Ending } from './run-report.js'

// the answer to the last call, tokens and the end of the turn still belong to a loop
const AFTER = 6

/** How a run ended, by its last event, its last request and the last events of its loops. */
export function endingOf(
  last: TranscriptItem | undefined,
  lastPrompt: number,
  loopEvents: readonly number[],
): Ending {
  if (!last) return 'finished'
  const from = Math.max(lastPrompt, last.number - AFTER)
  if (loopEvents.some((event) => event >= from)) return 'in-loop'
  return ['text', 'usage', 'turn-end'].includes(last.event.type) ? 'finished' : 'broke-off'
}
