import { stat } from 'node:fs/promises'
import { intakeFor, openBatches } from './batches.js'
import { type Detected, detectFormat } from './detect.js'
import type { Format } from './format.js'
import { formats } from './formats.js'
import { changedError, toProblem } from './source.js'
import type { Summary, Transcript, TranscriptItem } from './transcript.js'

/** How a transcript is to be read. */
export interface ReadOptions {
  /** name of the format, where its content does not tell */
  format?: string
  /** a line or element longer than this is bad; 64 MB if not given */
  maxRecordBytes?: number
  /** ends the reading between two batches */
  signal?: AbortSignal
}

/**
 * Reads a transcript, whatever its format. Nothing is thrown: what went wrong is in the summary.
 *
 * @example
 * const transcript = readTranscript(path)
 * for await (const items of transcript) for (const { event } of items) guard.observe(event)
 * console.log(transcript.summary)
 */
export function readTranscript(path: string, options: ReadOptions = {}): Transcript {
  if (options.format !== undefined) formatNamed(options.format)
  const summary = startSummary(path)
  return { summary, [Symbol.asyncIterator]: () => readAll(summary, options) }
}

export const startSummary = (path: string): Summary => ({
  path,
  format: undefined,
  records: 0,
  used: 0,
  skipped: 0,
  bad: 0,
  badRecords: [],
  events: 0,
  runs: 0,
})

async function* readAll(
  summary: Summary,
  options: ReadOptions,
): AsyncGenerator<TranscriptItem[], void, undefined> {
  const { path } = summary
  const detected = await detectNamed(path, options.format)
  const { format } = detected
  if (detected.problem) summary.problem = detected.problem
  if (!format) return
  summary.format = format.name
  const intake = intakeFor(format, summary)
  try {
    const before = await stat(path)
    const batches = await openBatches(format, detected, intake, path, options)
    for await (const items of batches) {
      if (options.signal?.aborted) return
      if (items.length > 0) yield items
    }
    const after = await stat(path)
    if (after.ino !== before.ino || after.size < before.size) throw changedError(path)
  } catch (error) {
    const items = intake.flush()
    if (items.length > 0) yield items
    summary.problem = toProblem(error, path)
  }
}

/** What a file is, by the name the caller gave or by its content. */
async function detectNamed(path: string, name: string | undefined): Promise<Detected> {
  const detected = await detectFormat(path)
  if (name === undefined || detected.format?.name === name) return detected
  if (detected.problem && detected.problem.code !== 'unknown-format') return detected
  const { encoding = 'plain' } = detected
  return {
    format: formatNamed(name),
    encoding,
    ...(detected.layout && { layout: detected.layout }),
  }
}

function formatNamed(name: string): Format {
  const format = formats.find((candidate) => candidate.name === name)
  if (format) return format
  const names = formats.map((candidate) => candidate.name).join(', ')
  throw new RangeError(`format must be one of ${names}; got ${JSON.stringify(name)}`)
}
