import { toJson } from '../../printable.js'
import { hasTroubles } from '../../troubles.js'
import type { ScanReport } from '../run-report.js'

/** The whole report as one JSON document; `schema/scan.schema.json` describes it. */
export const toJsonReport = (report: ScanReport): string => `${toJson(report, 2)}\n`

/** One loop a line, each with its run; and a line without a loop for each run in which the guard had trouble and found none. */
export function toJsonLines({ schemaVersion, runs }: ScanReport): string {
  return runs
    .flatMap(({ loops, timeline: _, ...run }) => {
      if (loops.length === 0 && hasTroubles(run)) return [{ schemaVersion, run }]
      return loops.map((loop) => ({ schemaVersion, run, loop }))
    })
    .map((line) => `${toJson(line)}\n`)
    .join('')
}
