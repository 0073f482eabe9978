import { readFile, stat } from 'node:fs/promises'
import { type Cutter, type Take, tooLong } from './cut.js'
import { cutDocument } from './cut-document.js'
import { cutLines } from './cut-lines.js'
import { type Detected, detectFormat } from './detect.js'
import type {
  DatabaseFormat,
  FolderFormat,
  Format,
  Layout,
  Reader,
  RecordFormat,
} from './format.js'
import { formats } from './formats.js'
import { createIntake, type Intake } from './intake.js'
import { type Encoding, readBytes, toProblem } from './source.js'
import { openDatabase } from './sqlite.js'
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

/** What holds one record at most; V8 makes no text longer than 512 MB. */
export const MAX_RECORD_BYTES = 64 * 2 ** 20

// so many items make a batch, where a source gives them one by one
const BATCH = 1000

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
    if (after.ino !== before.ino || after.size < before.size) {
      summary.problem = {
        code: 'changed',
        message: `${path} was rewritten while it was read: read it again`,
      }
    }
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

async function openBatches(
  format: Format,
  { encoding = 'plain', layout }: Detected,
  intake: Intake,
  path: string,
  options: ReadOptions,
): Promise<AsyncIterable<TranscriptItem[]> | Iterable<TranscriptItem[]>> {
  const reader = await format.start(intake.sink, path)
  if (format.container === 'folder') return readFiles(format, intake, reader, path, options)
  if (format.container === 'database') return readRows(format, intake, reader, path)
  const cutter = cutterFor(format, layout ?? format.layouts[0] ?? 'lines', intake, reader, options)
  return readRecords(path, encoding, intake, cutter)
}

/** An intake for the records of a format. */
export const intakeFor = (format: Format, summary: Summary): Intake =>
  createIntake(
    format.name,
    summary,
    format.container === 'records' ? format.shortcuts?.isEnough : undefined,
  )

/** A cutter that gives what it cuts to a reader. */
export function cutterFor(
  { shortcuts }: RecordFormat,
  layout: Layout,
  intake: Intake,
  reader: Reader,
  { maxRecordBytes = MAX_RECORD_BYTES }: ReadOptions,
): Cutter {
  const take: Take = {
    text: (text, offset, key) => intake.text(reader, text, offset, key),
    shortened: (text, whole, offset) => intake.shortened(reader, text, whole, offset),
    skipped: intake.skipped,
    spoiled: (_offset, reason) => intake.spoiled(reason),
  }
  return layout === 'lines'
    ? cutLines(take, maxRecordBytes, shortcuts)
    : cutDocument(take, maxRecordBytes)
}

async function* readRecords(path: string, encoding: Encoding, intake: Intake, cutter: Cutter) {
  for await (const chunk of readBytes(path, encoding)) {
    cutter.push(chunk)
    yield intake.flush()
  }
  cutter.end()
  yield intake.flush()
}

async function* readFiles(
  format: FolderFormat,
  intake: Intake,
  reader: Reader,
  path: string,
  { maxRecordBytes = MAX_RECORD_BYTES }: ReadOptions,
) {
  for await (const file of format.files(path)) {
    intake.file = file
    try {
      const { size } = await stat(file)
      if (size > maxRecordBytes) intake.spoiled(tooLong(maxRecordBytes))
      else intake.text(reader, await readFile(file, 'utf8'), 0, '')
    } catch (error) {
      intake.spoiled(toProblem(error, file).message)
    }
    yield intake.flush()
  }
}

async function* readRows(format: DatabaseFormat, intake: Intake, reader: Reader, path: string) {
  const database = await openDatabase(path)
  try {
    let count = 0
    for (const row of format.rows(database)) {
      intake.value(reader, row, -1, '')
      if (++count % BATCH === 0) yield intake.flush()
    }
    yield intake.flush()
  } finally {
    await database.close()
  }
}
