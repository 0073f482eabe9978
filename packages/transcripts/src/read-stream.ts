import { cutterFor, intakeFor } from './batches.js'
import type { Cutter, Take } from './cut.js'
import { cutLines } from './cut-lines.js'
import type { Reader, RecordFormat } from './format.js'
import { streamFormats } from './formats.js'
import type { Head } from './head.js'
import { isObject } from './json.js'
import { withoutStamp } from './log-line.js'
import { parse } from './partial-json.js'
import { startSummary } from './read.js'
import type { Summary, TranscriptItem } from './transcript.js'

/** Reads what an agent prints while it works: bytes in, events out. */
export interface StreamReader {
  /** Takes the next bytes, cut anywhere; gives the events of the lines that are complete. Never throws. */
  push(chunk: Uint8Array): TranscriptItem[]
  /** Says that nothing more comes; gives the events of a last line without an end. */
  end(): TranscriptItem[]
  /** the counts so far; it has a `format` as soon as that is known, and a `problem` if it cannot be told any more */
  readonly summary: Summary
}

// programs may print a few words before their first line of JSON, such as `npx` what it installs
const HEAD_BYTES = 256 * 1024

/**
 * A reader for the output of an agent that prints JSON lines: Claude Code, Codex, Gemini CLI, qwen-code or opencode, recognised by
 * what they print.
 *
 * @example
 * const reader = createStreamReader()
 * for await (const chunk of agent.stdout) for (const { event } of reader.push(chunk)) guard.observe(event)
 */
export function createStreamReader(name = 'stdout'): StreamReader {
  const summary = startSummary(name)
  let head: Buffer[] = []
  let length = 0
  let known: { cutter: Cutter; flush(): TranscriptItem[] } | undefined
  const lookout = cutLines(lookFor(open), HEAD_BYTES)

  /** What was held back is read as what it turned out to be. */
  function open(format: RecordFormat): void {
    if (known) return
    summary.format = format.name
    const intake = intakeFor(format, summary)
    // those of streams need no other file, so that they start at once
    const reader = format.start(intake.sink, name) as Reader
    known = { cutter: cutterFor(format, 'lines', intake, reader, {}), flush: intake.flush }
  }

  function look(chunk: Buffer): TranscriptItem[] {
    head.push(chunk)
    length += chunk.length
    lookout.push(chunk)
    if (known) {
      for (const held of head) known.cutter.push(held)
      head = []
      return known.flush()
    }
    if (length > HEAD_BYTES) giveUp()
    return []
  }

  function giveUp(): void {
    head = []
    const message = `${name} is not a stream of a known agent`
    summary.problem =
      length === 0
        ? { code: 'empty', message: `${name} is empty` }
        : { code: 'unknown-format', message }
  }

  return {
    summary,
    push(chunk) {
      if (summary.problem) return []
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      if (!known) return look(Buffer.from(bytes))
      known.cutter.push(bytes)
      return known.flush()
    },
    end() {
      if (summary.problem) return []
      if (!known) lookout.end()
      if (!known) {
        giveUp()
        return []
      }
      for (const held of head) known.cutter.push(held)
      known.cutter.end()
      return known.flush()
    },
  }
}

/** Calls back when a line says whose stream this is. */
function lookFor(found: (format: RecordFormat) => void): Take {
  const look = (line: string) => {
    const text = withoutStamp(line)
    const record = text.trimStart().startsWith('{') ? parse(text) : undefined
    if (!isObject(record)) return
    const head: Head = {
      ...{ layout: 'lines', isJson: true, isArray: false, text: '' },
      records: [record],
    }
    const format = streamFormats.find(({ detect }) => detect(head))
    if (format) found(format)
  }
  return { text: look, shortened: look, skipped() {}, spoiled() {} }
}
