import { readFile } from 'node:fs/promises'
import { UsageError } from '../exit-code.js'
import { withKnown } from './baseline.js'
import type { Cleaner } from './redact.js'
import { cleanNames } from './redact-report.js'
import { reportSchema } from './report-schema.js'
import { byStart, type RunReport, runName, type ScanReport } from './run-report.js'
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
    const name = runName(run)
    const other = runs.get(name)
    // a machine that was scanned later knows more of it
    if (!other || knowledgeOf(run) > knowledgeOf(other)) runs.set(name, run)
  }
  const files = new Map(
    reports.flatMap((report) => report.files).map((file) => [JSON.stringify(file), file]),
  )
  const merged = [...runs.values()]
    .map((run) => (known ? withKnown(run, known) : run))
    .sort(byStart)
  const { since: _, ...rest } = latest
  const since = earliest(reports.map((report) => report.since))
  return cleanNames(
    {
      ...rest,
      ...(since !== undefined && { since }),
      interrupted: reports.some(({ interrupted }) => interrupted),
      files: [...files.values()],
      runs: merged,
      totals: totalsOf(merged),
      by: groupsOf(merged),
    },
    clean,
  )
}

/** How much a report knows of a run: all that stands there, and where it was copied from. */
const knowledgeOf = ({ spent, copied }: RunReport) =>
  spent.events + (copied ? copied.events + 0.5 : 0)

/** Since when there are runs in any of them; not known if one has them all. */
const earliest = (moments: readonly (string | undefined)[]) =>
  moments.includes(undefined) ? undefined : [...moments].sort()[0]

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
