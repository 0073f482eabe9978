import { readdir, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Format, Layout } from './format.js'
import { formats } from './formats.js'
import { type Head, toHead } from './head.js'
import { skim } from './skim.js'
import { type Encoding, encodingOf, readBytes, readStart, toProblem } from './source.js'
import { openDatabase } from './sqlite/database.js'
import type { Problem } from './transcript.js'

/** What a file is, told by its content. */
export interface Detected {
  format?: Format
  encoding?: Encoding
  layout?: Layout
  problem?: Problem
}

// holds the first lines of every program we know, and is read in a millisecond
const HEAD_BYTES = 128 * 1024
// fewer records than this may all be of a kind that many formats have
const FEW_RECORDS = 8

/** Tells what a file or folder is by its content; reads no more than its beginning. */
export async function detectFormat(path: string): Promise<Detected> {
  try {
    const { isDirectory, isFile } = await kindOf(path)
    if (isDirectory) return await detectFolder(path)
    if (!isFile) return { problem: { code: 'unreadable', message: `${path} is not a file` } }
    const start = await readStart(path, HEAD_BYTES)
    const encoding = encodingOf(start)
    if (start.length === 0) return none('empty', `${path} is empty`)
    if (encoding === 'sqlite') return await detectDatabase(path)
    if (encoding === 'binary') return none('binary', `${path} is not text`)
    return detectRecords(path, encoding, await headOf(path, encoding, start))
  } catch (error) {
    return { problem: toProblem(error, path) }
  }
}

async function kindOf(path: string) {
  const stats = await stat(path)
  return { isDirectory: stats.isDirectory(), isFile: stats.isFile() }
}

/** The beginning of a file; where that is all one long text, what stands behind it. */
async function headOf(path: string, encoding: Encoding, start: Buffer): Promise<Head> {
  const bytes = encoding === 'plain' ? start : await firstBytes(path, encoding)
  const head = toHead(bytes.toString('utf8', 0, HEAD_BYTES))
  if (bytes.length < HEAD_BYTES || head.records.length >= FEW_RECORDS) return head
  const { text, isMany } = await skim(readBytes(path, encoding), HEAD_BYTES)
  return toHead(text, isMany)
}

async function firstBytes(path: string, encoding: Encoding): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of readBytes(path, encoding)) {
      parts.push(chunk)
      length += chunk.length
      if (length >= HEAD_BYTES) break
    }
  } catch (error) {
    // that it breaks off is told when it is read
    if (length === 0) throw error
  }
  return Buffer.concat(parts)
}

function detectRecords(path: string, encoding: Encoding, head: Head): Detected {
  for (const format of formats) {
    if (format.container === 'folder' && format.detectFile?.(head)) return { format, encoding }
    if (format.container !== 'records') continue
    const layout = format.startsBlock ? 'text' : (head.layout ?? format.layouts[0])
    if (!layout || !format.layouts.includes(layout) || !format.detect(head)) continue
    return { format, encoding, layout }
  }
  const message = head.isJson
    ? `${path} is JSON, but not a known transcript format; ${CONVERT}`
    : `${path} does not begin with JSON, so it is not a known transcript format; ${CONVERT}`
  const problem: Problem = { code: 'unknown-format', message }
  return { problem, encoding, ...(head.layout && { layout: head.layout }) }
}

// what is not known can be made known in ten lines; the page has them
const CONVERT =
  'convert it to event lines: tool-call with id, name and args, tool-result with id, output and isError; docs/transcripts/events.md has a program of ten lines'

async function detectFolder(path: string): Promise<Detected> {
  const names = await readdir(path)
  if (names.length === 0) return none('empty', `${path} is an empty folder`)
  const format = folderFormat(names, path)
  if (format) return { format }
  return none('unknown-format', `${path} is a folder, but not a transcript`)
}

/** The format of a folder with entries of these names, if it is a transcript as a whole. */
export const folderFormat = (names: readonly string[], path: string): Format | undefined =>
  formats.find(
    (format) => format.container === 'folder' && format.detect(names, basename(resolve(path))),
  )

async function detectDatabase(path: string): Promise<Detected> {
  const database = await openDatabase(path, HEAD_BYTES)
  await database.close()
  const format = formats.find((one) => one.container === 'database' && one.detect(database.names))
  if (format) return { format, encoding: 'sqlite' }
  return none('unknown-format', `${path} is a database, but not of a known program`)
}

const none = (code: Problem['code'], message: string): Detected => ({ problem: { code, message } })
