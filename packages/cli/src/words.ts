import type { Explanation } from 'unloop'
import { STATES, showCount, showPercent } from 'unloop/words'
import type { Ending } from './scan/run-report.js'

export { STATES } from 'unloop/words'

/** How a run with a loop ended. */
export const ENDINGS: Record<Ending, string> = {
  finished: 'recovered and finished',
  'in-loop': 'ended in the loop',
  'broke-off': 'broke off later',
  failed: 'failed later',
  aborted: 'was interrupted later',
  limit: 'reached a limit later',
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
