import type { ScanReport } from '../run-report.js'

/** The whole report as one JSON document; `schema/scan.schema.json` describes it. */
export const toJson = (report: ScanReport): string => `${JSON.stringify(report, null, 2)}\n`

/** One loop a line, each with its run. */
export function toJsonLines({ schemaVersion, runs }: ScanReport): string {
  return runs
    .flatMap(({ loops, timeline: _, ...run }) =>
      loops.map((loop) => `${JSON.stringify({ schemaVersion, run, loop })}\n`),
    )
    .join('')
}
