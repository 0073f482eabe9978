import type { FileReport } from './run-report.js'

/** What is wrong with a file, with its path once. */
export const withPath = (path: string, message: string): string =>
  message.includes(path) ? message : `${path}: ${message}`

/** Whether a file is just something else, and nothing is wrong with it. */
export const isNoTranscript = ({ problem }: FileReport): boolean =>
  problem?.code === 'unknown-format'

/** What is told of a file where we failed. */
export const toFailure = (error: unknown) => ({
  code: 'failed',
  message: `it could not be scanned: ${error instanceof Error ? error.message : error}`,
})
