import { readFile, stat } from 'node:fs/promises'
import { type Cutter, type Take, tooLong } from './cut.js'
import { cutBlocks } from './cut-blocks.js'
import { cutDocument } from './cut-document.js'
import { cutLines } from './cut-lines.js'
import type { Detected } from './detect.js'
import type {
  DatabaseFormat,
  FolderFormat,
  Format,
  Layout,
  Reader,
  RecordFormat,
} from './format.js'
import { createIntake, type Intake } from './intake.js'
import { isRecordLine, withoutStamp } from './log-line.js'
import type { ReadOptions } from './read.js'
import { changedError, type Encoding, readBytes, toProblem } from './source.js'
import { openDatabase } from './sqlite/database.js'
import type { Summary, TranscriptItem } from './transcript.js'

// what holds one record at most; V8 makes no text longer than 512 MB
const MAX_RECORD_BYTES = 64 * 2 ** 20
// so many rows make a batch, or so many bytes of them
const BATCH_ROWS = 1000
const BATCH_BYTES = 2 ** 20

/** Opens a transcript whose format is known; gives its items as they are read. */
export async function openBatches(
  format: Format,
  { encoding = 'plain', layout }: Detected,
  intake: Intake,
  path: string,
  options: ReadOptions,
): Promise<AsyncIterable<TranscriptItem[]> | Iterable<TranscriptItem[]>> {
  const reader = await format.start(intake.sink, path)
  if (format.container === 'folder') return readFiles(format, intake, reader, path, options)
  if (format.container === 'database') return readRows(format, intake, reader, path, options)
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
  { shortcuts, startsBlock, isPrinted }: RecordFormat,
  layout: Layout,
  intake: Intake,
  reader: Reader,
  { maxRecordBytes = MAX_RECORD_BYTES }: ReadOptions,
): Cutter {
  const take: Take = {
    text(text, offset, key) {
      if (isPrinted && !isRecordLine(withoutStamp(text))) intake.skipped()
      else intake.text(reader, text, offset, key)
    },
    shortened: (text, whole, offset) => intake.shortened(reader, text, whole, offset),
    skipped: intake.skipped,
    spoiled: (_offset, reason) => intake.spoiled(reason),
  }
  const block: Take = {
    ...take,
    text: (text, offset, kind) => intake.value(reader, { text }, offset, kind),
  }
  const cutter = startsBlock
    ? cutBlocks(block, maxRecordBytes, startsBlock)
    : layout === 'lines'
      ? cutLines(take, maxRecordBytes, shortcuts)
      : cutDocument(take, maxRecordBytes)
  return {
    push: cutter.push,
    end() {
      cutter.end()
      intake.end(reader)
    },
  }
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
      const stats = await stat(file)
      // a pipe or a device may have no end
      if (!stats.isFile()) intake.spoiled(`${file} is not a file`)
      else if (stats.size > maxRecordBytes) intake.spoiled(tooLong(maxRecordBytes))
      else intake.text(reader, await readFile(file, 'utf8'), 0, '')
    } catch (error) {
      intake.spoiled(toProblem(error, file).message)
    }
    yield intake.flush()
  }
  intake.end(reader)
  yield intake.flush()
}

async function* readRows(
  format: DatabaseFormat,
  intake: Intake,
  reader: Reader,
  path: string,
  { maxRecordBytes = MAX_RECORD_BYTES }: ReadOptions,
) {
  const database = await openDatabase(path, maxRecordBytes)
  try {
    let rows = 0
    let bytes = 0
    for (const row of format.rows(database)) {
      if ('reason' in row) intake.spoiled(row.reason)
      else {
        intake.value(reader, row.value, -1, '')
        bytes += row.bytes
      }
      if (++rows < BATCH_ROWS && bytes < BATCH_BYTES) continue
      yield intake.flush()
      rows = 0
      bytes = 0
    }
    yield intake.flush()
    if (await database.isChanged()) throw changedError(path)
  } finally {
    await database.close()
  }
}
