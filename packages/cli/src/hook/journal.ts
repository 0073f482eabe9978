import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** A line of a journal; its nonce is its own. */
export interface Line {
  nonce: string
}

/** A nonce: two processes never have the same id at the same time. */
export const createNonce = () => `${process.pid}-${process.hrtime.bigint().toString(36)}`

/** What a journal has. */
export interface Reading<L extends Line> {
  /** what was saved last, and the nonces of its last lines */
  saved?: unknown
  nonces: readonly string[]
  /** the lines since then, oldest first */
  lines: L[]
  generation: number
  /** how many bytes of this generation were read */
  end: number
}

/**
 * Adds a line to the journal of a folder, and gives what the journal has. That line is among the last ones, or if somebody was fast,
 * in what was saved.
 *
 * Any number of processes may do so at once and be killed at any moment, and none waits for another: a line is added by one write
 * at the end of a file. From time to time, one of them saves what the lines so far amount to, which starts the next generation:
 * `3.json` says what happened before, and `3.jsonl` has the lines since. A line that was added to `2.jsonl` while somebody
 * saved is read from there, and one that came even later is added again; nonces tell that it is the same.
 */
export function add<L extends Line>(folder: string, line: L): Reading<L> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // written apart from a line that was cut short, if there is one before it
  const text = `\n${JSON.stringify(line)}\n`
  for (let attempt = 0; ; attempt++) {
    const generation = newest(folder)
    const isAdded = append(folder, generation, text)
    const reading = isAdded ? read<L>(folder, generation) : undefined
    if (reading) {
      addAgainIfLate(folder, generation, text)
      return reading
    }
    // the generation is over, and its files are gone
    if (attempt >= MAX_ATTEMPTS) throw new Error(`the journal in ${folder} changes too fast`)
  }
}

/** Everything a journal has; nothing if there is none. */
export function readAll<L extends Line>(folder: string): Reading<L> | undefined {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const reading = read<L>(folder, newest(folder))
    if (reading) return reading
  }
}

/** Whether a journal was begun, and is still there. */
export const hasLines = (folder: string): boolean =>
  list(folder).some((name) => {
    if (!FILE.test(name)) return false
    return (
      name.endsWith('.json') ||
      (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0
    )
  })

/** Saves what the lines of a reading amount to, unless somebody else has. Later readings start from there. */
export function save<L extends Line>(
  folder: string,
  { generation, nonces: before, lines, end }: Reading<L>,
  state: unknown,
): void {
  const next = generation + 1
  const nonces = [...before, ...lines.map(({ nonce }) => nonce)].slice(-KEPT_NONCES)
  const temporary = join(folder, `${next}.${process.pid}.tmp`)
  writeFileSync(temporary, JSON.stringify({ end, nonces, state }), { mode: 0o600 })
  // before anybody can know of it
  closeSync(openSync(join(folder, `${next}.jsonl`), 'a', 0o600))
  publish(temporary, join(folder, `${next}.json`))
  for (const name of readdirSync(folder)) {
    const number = Number(FILE.exec(name)?.[1] ?? next)
    // the one before may still be written to
    if (number < generation) rmSync(join(folder, name), { force: true })
  }
}

/** Gives a whole file its name, if nobody else has, so that each generation starts once. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    // somebody else has, or several have, and tidied up
    if (isCode(error, 'EEXIST') || isCode(error, 'ENOENT')) return
    // a file system without links
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

// each one means that a whole generation went by meanwhile
const MAX_ATTEMPTS = 20
// of more lines than any number of hooks adds while one of them sleeps
const KEPT_NONCES = 300
// a later generation has its file from the start, so one without is over
const ADD = constants.O_WRONLY | constants.O_APPEND
const FILE = /^(\d+)\.(?:jsonl?|\d+\.tmp)$/

function newest(folder: string): number {
  let last = 0
  for (const name of list(folder)) {
    if (name.endsWith('.json')) last = Math.max(last, Number.parseInt(name, 10) || 0)
  }
  return last
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Whether the generation is still there to be added to. */
function append(folder: string, generation: number, text: string): boolean {
  let file: number
  try {
    file = openSync(join(folder, `${generation}.jsonl`), generation === 0 ? 'a' : ADD, 0o600)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
  try {
    const bytes = Buffer.from(text)
    const written = writeSync(file, bytes)
    if (written < bytes.length) throw new Error('the disk is full')
    return true
  } finally {
    closeSync(file)
  }
}

/** If somebody saved meanwhile, they may not have seen the line, and it may be in a file that nobody reads any more. */
function addAgainIfLate(folder: string, generation: number, text: string): void {
  for (let added = generation, last = newest(folder); last > added; last = newest(folder)) {
    append(folder, last, text)
    added = last
  }
}

/** The lines of a generation, with the late ones of the one before; nothing if it is gone. */
function read<L extends Line>(folder: string, generation: number): Reading<L> | undefined {
  const start = generation > 0 ? readStart(folder, generation) : NO_START
  if (!start) return
  const late = generation > 0 ? readFrom(folder, generation - 1, start.end) : undefined
  const own = readFrom(folder, generation, 0)
  if (own === undefined) return
  const known = new Set(start.nonces)
  const lines: L[] = []
  for (const line of [...linesIn<L>(late?.text ?? ''), ...linesIn<L>(own.text)]) {
    if (known.has(line.nonce)) continue
    known.add(line.nonce)
    lines.push(line)
  }
  return { saved: start.state, nonces: start.nonces, lines, generation, end: own.end }
}

interface Start {
  end: number
  nonces: readonly string[]
  state?: unknown
}

const NO_START: Start = { end: 0, nonces: [] }

function readStart(folder: string, generation: number): Start | undefined {
  try {
    const start = JSON.parse(readFileSync(join(folder, `${generation}.json`), 'utf8'))
    return typeof start?.end === 'number' && Array.isArray(start.nonces) ? start : NO_START
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    // it was written whole, so this is a broken disk: what happened before is lost
    return NO_START
  }
}

/** What a file has from there on, without a last line that is still being written. */
function readFrom(folder: string, generation: number, from: number) {
  let file: number
  try {
    file = openSync(join(folder, `${generation}.jsonl`), 'r')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from))
    const length = readSync(file, bytes, 0, bytes.length, from)
    const end = bytes.subarray(0, length).lastIndexOf(NEWLINE) + 1
    return { text: bytes.toString('utf8', 0, end), end: from + end }
  } finally {
    closeSync(file)
  }
}

const NEWLINE = 10

function linesIn<L extends Line>(text: string): L[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    try {
      const value = JSON.parse(line)
      return typeof value?.nonce === 'string' ? [value] : []
    } catch {
      // whoever wrote it was killed
      return []
    }
  })
}

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code
