import { open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { cutterFor, intakeFor } from './batches.js'
import type { Cutter } from './cut.js'
import { type Detected, detectFormat } from './detect.js'
import { followAgain } from './follow-again.js'
import type { RecordFormat } from './format.js'
import type { Intake } from './intake.js'
import { type ReadOptions, startSummary } from './read.js'
import { readBytes, toProblem } from './source.js'
import type { Summary, Transcript, TranscriptItem } from './transcript.js'

/** How a transcript is to be followed. */
export interface FollowOptions extends ReadOptions {
  /** how often it is looked at; 250 ms if not given */
  pollMs?: number
}

/**
 * Reads a transcript and keeps reading as it grows, until the signal comes. An empty batch says
 * that everything so far has been read. Partial lines wait for their end; a file that was truncated or
 * replaced is read from its start, as new runs.
 */
export function followTranscript(path: string, options: FollowOptions = {}): Transcript {
  return followWith(path, { ...options, pause: () => pause(options) })
}

/** How a transcript is followed by those who know better when to look. */
export interface Following extends ReadOptions {
  /** Waits until it is time to look again, `atLeastMs` or longer; false if the signal came. */
  pause(atLeastMs: number): Promise<boolean>
  /** a run that is silent for so long is forgotten; when it grows it is told from its start, as another run */
  silentMs?: number
  /** Called with its size when what is followed is a file of lines, which only grows. */
  onLines?(bytes: number): void
}

export function followWith(path: string, options: Following): Transcript {
  const summary = startSummary(path)
  return { summary, [Symbol.asyncIterator]: () => follow(summary, options) }
}

async function* follow(
  summary: Summary,
  options: Following,
): AsyncGenerator<TranscriptItem[], void, undefined> {
  const { path } = summary
  while (!options.signal?.aborted) {
    const detected = await detectSoon(path, options)
    if (detected?.problem) summary.problem = detected.problem
    if (!detected?.format) return
    const { format } = detected
    summary.format = format.name
    if (format.container === 'records' && isAppended(path, detected)) {
      yield* followLines(format, summary, options)
      if (options.signal?.aborted) return
      // what comes is another file, though its name is the same
      delete summary.problem
      Object.assign(summary, startSummary(path))
    } else {
      yield* followAgain(path, summary, options)
      return
    }
  }
}

/** What follows is a file of lines; ends when it is cut or replaced. */
async function* followLines(
  format: RecordFormat,
  summary: Summary,
  options: Following,
): AsyncGenerator<TranscriptItem[], void, undefined> {
  const { path } = summary
  const intake = intakeFor(format, summary)
  const reader = await format.start(intake.sink, path)
  const cutter = cutterFor(format, 'lines', intake, reader, options)
  let position = 0
  let inode: number | undefined
  let modifiedAt = 0
  let sample: string | undefined = ''
  let isCaughtUp = false
  do {
    const now = await stat(path).catch(() => undefined)
    if (now && inode === undefined) {
      inode = now.ino
      options.onLines?.(now.size)
    }
    if (now && (now.ino !== inode || now.size < position)) return
    if (now && (now.size > position || now.mtimeMs !== modifiedAt)) {
      const found = await sampleOf(path, position)
      if (found === undefined) continue
      if (sample !== undefined && found !== sample) return
      modifiedAt = now.mtimeMs
      for await (const [items, end] of readFrom(path, position, cutter, intake, summary)) {
        position = end
        if (items.length > 0) yield items
        if (options.signal?.aborted) return
      }
      sample = await sampleOf(path, position)
    }
    if (!isCaughtUp) yield []
    isCaughtUp = true
  } while (await options.pause(0))
}

// within this much of its beginning, or of what was written last, one transcript differs from another
const SAMPLE_BYTES = 1024

/**
 * What a file begins with, and what stands before a place in it: another file of the same name has something
 * else there. Undefined if it cannot be read now.
 */
async function sampleOf(path: string, end: number): Promise<string | undefined> {
  const bytes = Buffer.alloc(Math.min(end, SAMPLE_BYTES))
  const file = await open(path).catch(() => undefined)
  try {
    await file?.read(bytes, 0, bytes.length, 0)
    const first = bytes.toString('latin1')
    await file?.read(bytes, 0, bytes.length, end - bytes.length)
    return file && first + bytes.toString('latin1')
  } catch {
    return
  } finally {
    await file?.close()
  }
}

async function* readFrom(
  path: string,
  start: number,
  cutter: Cutter,
  intake: Intake,
  summary: Summary,
): AsyncGenerator<[TranscriptItem[], end: number]> {
  let position = start
  try {
    for await (const chunk of readBytes(path, 'plain', start)) {
      position += chunk.length
      cutter.push(chunk)
      yield [intake.flush(), position]
    }
  } catch (error) {
    // it may be back when it is looked at again
    summary.problem = toProblem(error, path)
  }
}

/** Whether it grows line by line; a document may stand on one line, which does not end. */
const isAppended = (path: string, { layout, encoding }: Detected) =>
  layout === 'lines' && encoding === 'plain' && !path.endsWith('.json')

/** What a file is, as soon as enough of it is there to tell; undefined if the signal comes before. */
async function detectSoon(path: string, options: Following): Promise<Detected | undefined> {
  do {
    const detected = await detectFormat(path)
    const { problem } = detected
    if (!problem) return detected
    const mayCome =
      problem.code === 'empty' || problem.code === 'unknown-format' || problem.code === 'unreadable'
    if (!mayCome) return detected
  } while (await options.pause(0))
}

async function pause({ pollMs = 250, signal }: FollowOptions): Promise<boolean> {
  try {
    await sleep(pollMs, undefined, signal ? { signal } : {})
    return true
  } catch {
    return false
  }
}
