import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The files with recorded material, by content. */
export interface Files {
  /** recorded runs, one `{id, source, outcome, events}` per line */
  data: readonly string[]
  /** what a reader said about them, one `{id, loop, kind, evident_at, unsure, stop}` per line */
  labels?: string | undefined
  /** more such runs, from today's coding agents, without labels */
  native: readonly string[]
  /** transcripts as the programs wrote them: folders, or archives of one */
  sessions: readonly string[]
  /** ordinary texts, and runaway answers, one `{id, text}` per line */
  texts: readonly string[]
  degenerate: readonly string[]
}

const NAMES = {
  data: /^trajectories.*\.jsonl(\.gz)?$/,
  native: /^native.*\.jsonl(\.gz)?$/,
  sessions: /^sessions.*\.tar\.gz$/,
  texts: /^(texts|logs).*\.jsonl(\.gz)?$/,
  degenerate: /^degenerate.*\.jsonl(\.gz)?$/,
}

/** The files of a folder with the usual names. */
export function filesIn(folder: string): Files {
  const names = readdirSync(folder).sort()
  const called = (pattern: RegExp) =>
    names.filter((name) => pattern.test(name)).map((name) => join(folder, name))
  const files = {
    data: called(NAMES.data),
    labels: names.includes('labels.jsonl') ? join(folder, 'labels.jsonl') : undefined,
    native: called(NAMES.native),
    sessions: called(NAMES.sessions),
    texts: called(NAMES.texts),
    degenerate: called(NAMES.degenerate),
  }
  if (files.data.length === 0)
    throw new RangeError(`a corpus has files called trajectories.jsonl.gz, got ${folder}`)
  return files
}
