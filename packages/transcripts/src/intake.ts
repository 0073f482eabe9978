import { createAnswered } from './answered.js'
import type { Reader, Sink } from './format.js'
import { splitGlued } from './glued.js'
import { isObject, type Json } from './json.js'
import { withoutStamp } from './log-line.js'
import { parse } from './partial-json.js'
import type { Run, Summary, TranscriptItem } from './transcript.js'

/** Gives records to a reader and keeps count of what became of them. */
export interface Intake {
  sink: Sink
  /** Takes the text of a record. */
  text(reader: Reader, text: string, offset: number, key: string): void
  /** Takes the beginning of a record, which is enough unless the format wants all of it. */
  shortened(reader: Reader, text: string, whole: () => string, offset: number): void
  /** Counts a record that is skipped. */
  skipped(): void
  /** Takes a record that has been parsed. */
  value(reader: Reader, value: unknown, offset: number, key: string): void
  /** Counts a record that cannot be had. */
  spoiled(reason: string): void
  /** Takes what a reader tells when all records are read. */
  end(reader: Reader): void
  /** The items since the last time. */
  flush(): TranscriptItem[]
  /** the file that records come from, where a transcript is a folder */
  file: string | undefined
}

// enough to see what is wrong with a file
const MAX_BAD = 20

export function createIntake(
  format: string,
  summary: Summary,
  isEnough: (record: Json) => boolean = () => true,
): Intake {
  const counts = new WeakMap<Run, { events: number }>()
  // most events are of the same run as the one before
  let last: Run | undefined
  let count = { events: 0 }
  let items: TranscriptItem[] = []
  let offset = -1
  const answered = createAnswered()
  let orphans = 0
  let isHeld = false
  /** of the line, element, row or file */
  let line = 0

  const sink: Sink = {
    run(facts) {
      summary.runs++
      return { format, ...facts }
    },
    hold() {
      isHeld = true
      return { line, offset }
    },
    emit(run, event, place) {
      // the call may stand in the file that this one continues
      if (answered.isOrphan(event) && run.parent === undefined) orphans++
      const number = countOf(run).events++
      const item: TranscriptItem = place
        ? { event, run, number, line: place.line, offset: place.offset }
        : // what a file beside it tells of one without records is at its beginning
          { event, run, number, line: Math.max(1, line), offset }
      if (intake.file !== undefined) item.file = intake.file
      items.push(item)
    },
  }

  function value(reader: Reader, record: unknown, at: number, key: string): void {
    line++
    take(reader, record, at, key)
  }

  function take(reader: Reader, record: unknown, at: number, key: string): void {
    summary.records++
    offset = at
    const before = items.length
    orphans = 0
    isHeld = false
    const reason = tryRead(reader, record, key) ?? whyOrphaned(items.length - before)
    if (reason !== undefined) {
      while (items.length > before) countOf((items.pop() as TranscriptItem).run).events--
      return addBad(reason)
    }
    if (items.length === before && !isHeld) summary.skipped++
    else summary.used++
    summary.events += items.length - before
  }

  function whyOrphaned(events: number): string | undefined {
    return orphans > 0 && orphans === events ? 'a result without its call' : undefined
  }

  function countOf(run: Run): { events: number } {
    if (run === last) return count
    last = run
    count = counts.get(run) ?? { events: 0 }
    counts.set(run, count)
    return count
  }

  function addBad(reason: string): void {
    summary.bad++
    if (summary.badRecords.length >= MAX_BAD) return
    const file = intake.file
    summary.badRecords.push({
      line,
      reason,
      ...(file === undefined ? {} : { file }),
    })
  }

  /** Takes what is whole of a line that is not JSON. */
  function rescue(reader: Reader, text: string, at: number, key: string, error: Error): void {
    line++
    const pieces = key === '' ? splitGlued(text) : []
    for (const piece of pieces) {
      if ('value' in piece) take(reader, piece.value, at, key)
      else {
        summary.records++
        addBad('not JSON: a record that breaks off within its line')
      }
    }
    if (pieces.length > 0) return
    summary.records++
    if (text.trim() === '') summary.skipped++
    else addBad(`not JSON: ${shorten(error.message)}`)
  }

  const intake: Intake = {
    sink,
    file: undefined,
    value,
    text(reader, text, at, key) {
      let record: unknown
      try {
        record = JSON.parse(text)
      } catch (error) {
        const again = retried(text)
        if (again === undefined) return rescue(reader, text, at, key, error as Error)
        record = again
      }
      value(reader, record, at, key)
    },
    shortened(reader, text, whole, at) {
      const record = parse(text)
      if (isObject(record) && isEnough(record)) value(reader, record, at, '')
      else intake.text(reader, whole(), at, '')
    },
    skipped() {
      line++
      summary.records++
      summary.skipped++
    },
    spoiled(reason) {
      line++
      summary.records++
      addBad(reason)
    },
    end(reader) {
      const before = items.length
      reader.end?.()
      summary.events += items.length - before
    },
    flush() {
      const flushed = items
      items = []
      return flushed
    },
  }
  return intake
}

function tryRead(reader: Reader, record: unknown, key: string): string | undefined {
  try {
    if (isObject(record)) return reader.read(record, key)
    // in a document, a member that is not an object is a fact about it; as a line, it is not a record
    if (key === '') return 'not a JSON object'
    reader.learn?.(key, record)
  } catch (error) {
    return `of an unexpected shape: ${shorten((error as Error).message)}`
  }
}

/** The first line of a file may begin with a byte order mark, each line of a log with a time. */
function retried(text: string): unknown {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : withoutStamp(text)
  if (bare === text) return
  try {
    return JSON.parse(bare)
  } catch {
    return
  }
}

// the messages of JSON.parse quote what they were given
const shorten = (message: string) => (message.length > 120 ? `${message.slice(0, 120)}…` : message)
