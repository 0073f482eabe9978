import { toCsv } from './formats/csv.js'
import { toGithub } from './formats/github.js'
import { type HtmlOptions, toHtml } from './formats/html.js'
import { toJsonLines, toJsonReport } from './formats/json.js'
import { toJunit } from './formats/junit.js'
import { type PrettyOptions, toPretty } from './formats/pretty.js'
import { toSarif } from './formats/sarif.js'
import type { ScanReport } from './run-report.js'

export const FORMATS = [
  'pretty',
  'json',
  'jsonl',
  'csv',
  'sarif',
  'junit',
  'github',
  'html',
] as const

export type FormatName = (typeof FORMATS)[number]

export type FormatOptions = PrettyOptions & HtmlOptions

/** The report in one of the formats. */
export function toFormat(name: FormatName, report: ScanReport, options: FormatOptions): string {
  switch (name) {
    case 'pretty':
      return toPretty(report, options)
    case 'json':
      return toJsonReport(report)
    case 'jsonl':
      return toJsonLines(report)
    case 'csv':
      return toCsv(report)
    case 'sarif':
      return toSarif(report)
    case 'junit':
      return toJunit(report)
    case 'github':
      return toGithub(report)
    case 'html':
      return toHtml(report, options)
  }
}
