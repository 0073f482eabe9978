import { showCount } from 'unloop/words'
import type { FileReport } from './run-report.js'

/** What is wrong with a file, with its path once. */
export const withPath = (path: string, message: string): string =>
  message.includes(path) ? message : `${path}: ${message}`

/** Whether a file is just something else, and nothing is wrong with it. */
export const isNoTranscript = ({ problem }: FileReport): boolean =>
  problem?.code === 'unknown-format'

/** Why not all of a file could be read, if so. */
export function whyNotAll({ problem, bad, records, badRecords }: FileReport): string | undefined {
  if (problem) return problem.message
  const [first] = badRecords
  if (!first) return
  return `${showCount(bad)} of ${showCount(records)} records could not be understood, first ${first.line}: ${first.reason}`
}

/** What is told of a file where we failed. */
export const toFailure = (error: unknown) => ({
  code: 'failed',
  message: `cannot be scanned: ${error instanceof Error ? error.message : error}`,
})

/** A file of which nothing could be read. */
export const unread = (path: string, problem: { code: string; message: string }): FileReport => ({
  path,
  records: 0,
  used: 0,
  skipped: 0,
  bad: 0,
  badRecords: [],
  events: 0,
  runs: 0,
  problem,
})
