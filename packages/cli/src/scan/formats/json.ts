import { toJson } from '../../printable.js'
import { hasTroubles } from '../../troubles.js'
import { isNoTranscript, whyNotAll } from '../problem.js'
import type { ScanReport } from '../run-report.js'

/** The whole report as one JSON document; `schema/scan.schema.json` describes it. */
export const toJsonReport = (report: ScanReport): string => `${toJson(report, 2)}\n`

/**
 * One loop a line, each with its run; a line without a loop for each run in which the guard had trouble and found none;
 * and a line for each file that could not be read in full.
 */
export function toJsonLines({ schemaVersion, runs, files }: ScanReport): string {
  const lines = runs.flatMap(({ loops, timeline: _, parts: __, ...run }) => {
    if (loops.length === 0 && hasTroubles(run)) return [{ schemaVersion, run }]
    return loops.map((loop) => ({ schemaVersion, run, loop }))
  })
  const unread = files
    .filter((file) => whyNotAll(file) !== undefined && !isNoTranscript(file))
    .map((file) => ({ schemaVersion, file }))
  return [...lines, ...unread].map((line) => `${toJson(line)}\n`).join('')
}
