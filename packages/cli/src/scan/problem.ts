import type { FileReport } from './run-report.js'

/** What is wrong with a file, with its path once. */
export const withPath = (path: string, message: string): string =>
  message.includes(path) ? message : `${path}: ${message}`

/** Whether a file is just something else, and nothing is wrong with it. */
export const isNoTranscript = ({ problem }: FileReport): boolean =>
  problem?.code === 'unknown-format'
