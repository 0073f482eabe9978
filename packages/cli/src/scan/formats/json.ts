import { toJson } from '../../printable.js'
import type { ScanReport } from '../run-report.js'

/** The whole report as one JSON document; `schema/scan.schema.json` describes it. */
export const toJsonReport = (report: ScanReport): string => `${toJson(report, 2)}\n`

/** One loop a line, each with its run. */
export function toJsonLines({ schemaVersion, runs }: ScanReport): string {
  return runs
    .flatMap(({ loops, timeline: _, ...run }) =>
      loops.map((loop) => `${toJson({ schemaVersion, run, loop })}\n`),
    )
    .join('')
}
