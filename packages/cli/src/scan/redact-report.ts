import type { Troubles } from '../troubles.js'
import { quote } from './evidence.js'
import { type Cleaner, redact } from './redact.js'
import type { FileReport, LoopReport, Place, RunReport, ScanReport } from './run-report.js'

/** The run as a report quotes it, cleaned; home folders stay in its path, to be found. */
export function quoteRun(run: RunReport, clean: Cleaner): RunReport {
  return cleanNames(
    {
      ...quoteTroubles(run, clean),
      ...(run.project !== undefined && { project: clean.text(run.project) }),
      loops: run.loops.map((loop) => quoteLoop(loop, clean)),
    },
    clean,
  )
}

/** The same for what went wrong in its guard. */
export const quoteTroubles = <T extends Troubles>(run: T, clean: Cleaner): T => ({
  ...run,
  faults: run.faults.map((fault) => ({ ...fault, message: clean.text(fault.message) })),
})

const quoteLoop = (loop: LoopReport, clean: Cleaner): LoopReport => ({
  ...loop,
  // it names the call or the text, as the sample does
  identity: clean.sample(loop.identity),
  detail: clean.sample(loop.detail),
  sample: clean.sample(loop.sample),
  advice: clean.sample(loop.advice),
  steps: loop.steps.map((step) => ({ ...step, text: clean.sample(step.text) })),
  evidence: loop.evidence.map((one) => ({
    ...one,
    text: quote(one.text, clean.text),
  })),
})

/** What became of a file, cleaned and without the words of its bad lines. */
export const quoteFile = (file: FileReport, clean: Cleaner): FileReport =>
  cleanNames(
    {
      ...file,
      // readers of JSON say what stood there
      badRecords: file.badRecords.map((one) => ({
        ...one,
        reason: one.reason.replace(/["'`][\s\S]*["'`…]/, '…'),
      })),
    },
    clean,
  )

/** The same with every text in it cleaned: whatever a transcript may name has been a secret somewhere. */
export function cleanNames<T>(value: T, clean: Cleaner): T
export function cleanNames(value: unknown, clean: Cleaner): unknown {
  if (typeof value === 'string') return clean.name(value)
  if (Array.isArray(value)) return value.map((one) => cleanNames(one, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, cleanNames(one, clean)]),
  )
}

/** The report without the names of home folders in paths. */
export function withoutHomes(report: ScanReport, home: string): ScanReport {
  const clean = (text: string) => redact(text, home)
  const inFile = <T extends { file?: string }>(one: T): T =>
    one.file === undefined ? one : { ...one, file: clean(one.file) }
  const inLoop = (loop: LoopReport): LoopReport => ({
    ...loop,
    began: inFile(loop.began),
    evident: inFile(loop.evident),
    ...(loop.stopped && { stopped: inFile<Place>(loop.stopped) }),
    last: inFile(loop.last),
    evidence: loop.evidence.map(inFile),
  })
  return {
    ...report,
    runs: report.runs.map((run) => ({
      ...run,
      path: clean(run.path),
      loops: run.loops.map(inLoop),
    })),
    files: report.files.map((file) => ({
      ...file,
      path: clean(file.path),
      badRecords: file.badRecords.map(inFile),
      ...(file.problem && {
        problem: { ...file.problem, message: clean(file.problem.message) },
      }),
    })),
  }
}
