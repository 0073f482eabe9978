import type { Certainty, Explanation, Finding } from 'unloop'
import { plural, showCount, showPercent } from 'unloop/words'
import type { Ending } from './scan/run-report.js'

/** What a loop has cost so far, in words. */
export function costOf({ wasted }: Finding): string {
  const { events, characters, tokens } = wasted
  return [
    plural(events, 'event'),
    characters > 0 && plural(characters, 'character'),
    tokens !== undefined && tokens > 0 && plural(tokens, 'token'),
  ]
    .filter(Boolean)
    .join(', ')
}

/** How an agent is called that may be in a loop, and one that is. */
export const STATES: Record<Certainty, string> = { likely: 'struggling', certain: 'stuck' }

/** How a run with a loop ended. */
export const ENDINGS: Record<Ending, string> = {
  finished: 'recovered and finished',
  'in-loop': 'ended in the loop',
  'broke-off': 'broke off later',
  failed: 'failed later',
  aborted: 'was interrupted later',
  limit: 'reached a limit later',
}

/** What the guard did about it, in words. */
export const ACTIONS: Record<Finding['action'], string> = {
  warn: 'the model was warned',
  block: 'the call was refused',
  cut: 'the message was cut',
  ask: 'stopped; you decide',
  stop: 'stopped',
}

/** How near each detector is, as lines of a table. */
export function explanationLines(explanation: readonly Explanation[]): string[] {
  return explanation.map(({ detector, pressure, count, limit, certainty, excuse }) => {
    const near = showPercent(pressure).padStart(4)
    const toward = certainty === 'likely' ? ` for ${STATES.likely}` : ''
    const counts = limit > 0 ? `${showCount(count)} of ${showCount(limit)}${toward}` : ''
    return `${detector.padEnd(17)}${near}  ${counts}${excuse ? `  (${excuse})` : ''}`.trimEnd()
  })
}

/** The text on one line, shortened. */
export function oneLine(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > length || text.length > length * 4 ? `${line.slice(0, length - 1)}…` : line
}
