import type { AgentEvent } from 'unloop'
import type { StartsBlock } from './cut-blocks.js'
import type { Head } from './head.js'
import type { Json } from './json.js'
import type { FormatLocation, Machine } from './location.js'
import type { Database } from './sqlite/database.js'
import type { Row } from './sqlite/table.js'
import type { Run } from './transcript.js'

/** How the records of a file are told apart: one a line, the parts of one JSON document, or blocks of a text. */
export type Layout = 'lines' | 'document' | 'text'

/** What a reader gives its events to. */
export interface Sink {
  /** Creates a run; the reader keeps it for as long as its events come. */
  run(facts?: Partial<Omit<Run, 'format'>>): Run
  /** `place` is where it stands, if that was in a record before. */
  emit(run: Run, event: AgentEvent, place?: Place): void
  /** Says that the record gives events later on, and where it stands. */
  hold(): Place
}

/** Where a record stands. */
export interface Place {
  line: number
  offset: number
}

/** Turns the records of one transcript into events. */
export interface Reader {
  /**
   * Takes the next record. Emits its events; gives a reason if it is not what it should be.
   * In a document, `key` is the member of the root object that the record belongs to.
   */
  read(record: Json, key: string): string | undefined
  /** Takes a member of a document that is not an object: a fact about the whole. */
  learn?(key: string, value: unknown): void
  /** Tells what can be told only when all records of a file are read. */
  end?(): void
}

interface FormatBase {
  name: string
  /** the name a person would use */
  title: string
  /** `experimental`: the shape is not certain, or was not tried on recordings */
  stage: 'stable' | 'experimental'
  /** where its program keeps transcripts, if it has a place of its own */
  locations?(machine: Machine): readonly FormatLocation[]
}

/** What of a line need not be parsed, for much of a transcript says nothing that is not said elsewhere. */
export interface Shortcuts {
  /** how a long member of a line begins that is never read: `,"name":` */
  unread?: string
  /** Whether what stands before that member is all that is read of this line. */
  isEnough?(record: Json): boolean
  /** Whether a line that begins like this is of no interest; it is given the first 200 characters. */
  skips?(head: string): boolean
}

/** A format whose files are lines of JSON, or one JSON document. */
export interface RecordFormat extends FormatBase {
  container: 'records'
  /** the first is taken where the beginning of a file does not tell */
  layouts: readonly Layout[]
  detect(head: Head): boolean
  shortcuts?: Shortcuts
  /** it is printed by a program, so that other lines may stand in between, which are skipped */
  isPrinted?: true
  /** where the blocks of a text begin; each is a record `{ text }`, and its kind is the key */
  startsBlock?: StartsBlock
  /** `path` is given for formats that keep a part of the story in a file beside it */
  start(sink: Sink, path: string): Reader | Promise<Reader>
}

/** A format that is a folder with one JSON file a record. */
export interface FolderFormat extends FormatBase {
  container: 'folder'
  /** Whether a folder of this name with files of these names is such a transcript. */
  detect(names: readonly string[], name: string): boolean
  /** Whether this file stands for such a folder. */
  detectFile?(head: Head): boolean
  /** The files in the order of what they tell. */
  files(path: string): AsyncIterable<string>
  start(sink: Sink, path: string): Reader | Promise<Reader>
}

/** A format that is an SQLite database. */
export interface DatabaseFormat extends FormatBase {
  container: 'database'
  detect(tables: readonly string[]): boolean
  /** Rows in the order of what they tell; each is a record for the reader, or bad. */
  rows(database: Database): Iterable<Row>
  start(sink: Sink, path: string): Reader | Promise<Reader>
}

export type Format = RecordFormat | FolderFormat | DatabaseFormat
