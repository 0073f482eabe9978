import type { AgentEvent } from 'unloop'

/** One run of an agent within a transcript; a file may hold several. The same run is the same object. */
export interface Run {
  /** name of the format it was read from */
  format: string
  /** the program that wrote it, where the format tells */
  program?: string
  /** the program's own id of the session */
  session?: string
  /** the folder it worked in, or the program's name for the project */
  project?: string
  model?: string
  /** milliseconds since the epoch */
  startedAt?: number
  /** set where the whole run is that of a sub-agent; its events carry the same name */
  agent?: string
  /** the session that started it, where it is a sub-agent or a fork */
  parent?: string
  /** how it ended, where the program tells; set when it does, and taken back if the run goes on */
  outcome?: Outcome
}

/** How a run ended, in the words of its program. */
export interface Outcome {
  /** `limit`: of money, turns, time or context; `aborted`: by a person */
  kind: 'finished' | 'failed' | 'aborted' | 'limit'
  /** the program's own word, such as `exit_cost` */
  status: string
}

/** An event, and where it stands. */
export interface TranscriptItem {
  event: AgentEvent
  run: Run
  /** number of the event within its run, from 0: what a finding calls `at` and `since` */
  number: number
  /** number of the line, element, row, file or block of text that told it, from 1 */
  line: number
  /** where that begins, in bytes of the uncompressed text; -1 if there is no such place */
  offset: number
  /** the file, where a transcript is a folder */
  file?: string
}

/** Why a transcript could not be read, or not to its end. */
export interface Problem {
  code:
    | 'unreadable'
    | 'empty'
    | 'binary'
    | 'unknown-format'
    | 'unsupported'
    | 'cut-short'
    | 'changed'
  /** what happened and what can be done about it, in a sentence */
  message: string
}

/** A record that could not be understood. */
export interface BadRecord {
  line: number
  reason: string
  file?: string
}

/** What became of the records of a transcript: `records` is `used + skipped + bad`. */
export interface Summary {
  path: string
  /** undefined where the format was not recognised */
  format: string | undefined
  /** lines, elements of a JSON document, rows or files */
  records: number
  /** records that gave events */
  used: number
  /** records that are of no interest here */
  skipped: number
  /** records that could not be understood */
  bad: number
  /** the first of them */
  badRecords: BadRecord[]
  events: number
  runs: number
  problem?: Problem
}

/** The events of a transcript in batches, in the order in which they were written. */
export interface Transcript extends AsyncIterable<TranscriptItem[]> {
  /** the counts so far; final when the iteration is over */
  readonly summary: Summary
}
