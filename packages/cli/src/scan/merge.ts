import { readFile } from 'node:fs/promises'
import { UsageError } from '../exit-code.js'
import { withKnown } from './baseline.js'
import type { Cleaner } from './redact.js'
import { cleanNames } from './redact-report.js'
import { reportSchema } from './report-schema.js'
import { byStart, type RunReport, type ScanReport } from './run-report.js'
import { groupsOf, totalsOf } from './totals.js'

export interface MergeOptions {
  clean: Cleaner
  /** the fingerprints of a baseline */
  known?: ReadonlySet<string>
}

/** JSON reports as one: what is in several counts once. Throws a `UsageError` for a file that is no such report. */
export async function mergeReports(
  paths: readonly string[],
  { clean, known }: MergeOptions,
): Promise<ScanReport> {
  const reports = await Promise.all(paths.map(readReport))
  const latest = reports.reduce((a, b) => (a.scannedAt < b.scannedAt ? b : a))
  const runs = new Map<string, RunReport>()
  for (const run of reports.flatMap((report) => report.runs)) {
    const name = nameOf(run)
    const other = runs.get(name)
    // the machine that was scanned later knows more of it
    if (!other || run.spent.events > other.spent.events) runs.set(name, run)
  }
  const files = new Map(
    reports.flatMap((report) => report.files).map((file) => [JSON.stringify(file), file]),
  )
  const merged = [...runs.values()]
    .map((run) => (known ? withKnown(run, known) : run))
    .sort(byStart)
  return cleanNames(
    {
      ...latest,
      interrupted: reports.some(({ interrupted }) => interrupted),
      files: [...files.values()],
      runs: merged,
      totals: totalsOf(merged),
      by: groupsOf(merged),
    },
    clean,
  )
}

/** A run by its session or, if it has none, by its place and what is known of it. */
function nameOf({ program, format, session, agent, startedAt, path, spent }: RunReport): string {
  const place = session === undefined ? [path, spent.events, spent.tokens] : [session]
  return JSON.stringify([program ?? format, agent, startedAt, ...place])
}

async function readReport(path: string): Promise<ScanReport> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`cannot read a report to merge: ${error.message}`)
  })
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new UsageError(`${path} is not a JSON report. ${ADVICE}`)
  }
  const parsed = reportSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.path[0] === 'schemaVersion' && isReport(value)) {
    throw new UsageError(
      `${path} was written by another version of unloop (schema version ${value.schemaVersion}). Scan again with this version there, or update this one`,
    )
  }
  const where = issue?.path.join('.') || 'the document'
  throw new UsageError(`${path} is not a report of a scan: ${where}: ${issue?.message}. ${ADVICE}`)
}

const ADVICE = 'Write reports with: unloop scan --format json -o report.json'

const isReport = (value: unknown): value is { schemaVersion: number } =>
  typeof (value as { schemaVersion?: unknown } | null)?.schemaVersion === 'number'
