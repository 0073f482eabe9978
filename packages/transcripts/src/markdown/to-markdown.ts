import { type ReadOptions, readTranscript } from '../read.js'
import type { Problem, Transcript, TranscriptItem } from '../transcript.js'
import { extract } from './extract.js'
import { type Mark, writeDocument } from './write-document.js'

/** What to show of a transcript. */
export interface MarkdownOptions extends ReadOptions {
  /** only the run with this session; a database has many */
  session?: string
  marks?: readonly Mark[]
  /** the line of the source to show; the first mark, or else the end, by default */
  around?: number
  /** how many entries are shown before that line, and from it on; 400 by default */
  window?: number
  /** Takes out what should not be shown, such as secrets; gets the texts as they are shown, cut where they are long. */
  clean?(text: string): string
}

/** A transcript for people. Lines are counted from 1. */
export interface MarkdownTranscript {
  text: string
  /** how many entries are shown, and how many are left out before and after them */
  shown: number
  before: number
  after: number
  /** The line of the text for a line of the source: what was told last by then. */
  lineOf(sourceLine: number): number
  /** The line of the source for a line of the text; undefined above the first entry. */
  sourceLineOf(line: number): number | undefined
  /** why it could not be read, or not to its end */
  problem?: Problem
}

// a long evening of work; with texts cut as they are, a few megabytes at most
const WINDOW = 400

/**
 * A transcript as Markdown that is safe to show, whatever stands in it: the requests, answers, thoughts and calls around
 * a line. Takes a path, or items that were read. A file of any size takes the same memory.
 *
 * @example
 * const { text, lineOf } = await toMarkdown(path, { session, around: 120, marks: [{ firstLine: 120, lastLine: 160 }] })
 */
export async function toMarkdown(
  source: string | AsyncIterable<TranscriptItem[]> | Iterable<TranscriptItem[]>,
  options: MarkdownOptions = {},
): Promise<MarkdownTranscript> {
  const { session, marks = [], window = WINDOW, clean = (text) => text } = options
  if (!(window >= 1)) throw new RangeError(`window must be a number of at least 1; got ${window}`)
  const around = options.around ?? marks[0]?.firstLine
  const transcript = typeof source === 'string' ? readTranscript(source, options) : source
  const extracted = await extract(transcript, { session, around, window, clean })
  const problem = problemOf(transcript)
  const path = typeof source === 'string' ? source : undefined
  const { text, places } = writeDocument(extracted, { path, marks, problem, clean })
  const { entries, before, after } = extracted
  return {
    ...{ text, shown: entries.length, before, after },
    lineOf: (sourceLine) =>
      places.reduce(
        (best, place) =>
          place.sourceLine <= sourceLine && place.sourceLine > best.sourceLine ? place : best,
        { sourceLine: 0, line: 1 },
      ).line,
    sourceLineOf: (line) => places.findLast((place) => place.line <= line)?.sourceLine,
    ...(problem && { problem }),
  }
}

const problemOf = (transcript: object): Problem | undefined =>
  'summary' in transcript ? (transcript as Transcript).summary.problem : undefined
