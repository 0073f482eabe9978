import { readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { besideOf, lastPartsIn } from './beside.js'
import { brief } from './brief.js'
import { type ReadOptions, readTranscript } from './read.js'
import type { Run, Summary, TranscriptItem } from './transcript.js'

/** The runs that were told of so far, by name, and how many events of each. */
type Known = Map<string, { run: Run; count: number }>

/**
 * Follows what is rewritten as a whole, or row by row: when it has changed it is read again, and what was
 * told before is left out. A run that has become shorter was rewritten, and starts over.
 */
export async function* followAgain(
  path: string,
  summary: Summary,
  options: ReadOptions,
  pause: () => Promise<boolean>,
): AsyncGenerator<TranscriptItem[], void, undefined> {
  const known: Known = new Map()
  let last = ''
  let isCaughtUp = false
  do {
    const state = await stateOf(path)
    if (state !== last) {
      const shorter = yield* tellNew(summary, options, known)
      for (const name of shorter) known.delete(name)
      if (shorter.length > 0) yield* tellNew(summary, options, known)
      last = state
    }
    if (!isCaughtUp) yield []
    isCaughtUp = true
  } while (await pause())
}

/** Tells what is new; gives the names of the runs that have fewer events than before. */
async function* tellNew(
  summary: Summary,
  options: ReadOptions,
  known: Known,
): AsyncGenerator<TranscriptItem[], string[], undefined> {
  const { path, bad } = summary
  const transcript = readTranscript(path, options)
  const names = new Map<Run, string>()
  const counts = new Map<string, number>()
  for await (const items of transcript) {
    for (const item of items) counts.set(nameOf(item.run, names), item.number + 1)
    const fresh = items.filter((item) => isFresh(item, nameOf(item.run, names), known))
    if (fresh.length > 0) yield fresh
  }
  delete summary.problem
  Object.assign(summary, transcript.summary)
  // while it is being written it may break off anywhere
  const isWhole = !summary.problem && summary.bad <= bad && !options.signal?.aborted
  return isWhole ? [...known.keys()].filter((name) => isShorter(name, counts, known)) : []
}

const isShorter = (name: string, counts: Map<string, number>, known: Known) =>
  (counts.get(name) ?? 0) < (known.get(name)?.count ?? 0)

/** Whether an item was not told yet; if so it becomes one of the run that is known. */
function isFresh(item: TranscriptItem, name: string, known: Known): boolean {
  const before = known.get(name) ?? { run: item.run, count: 0 }
  known.set(name, before)
  if (before.run !== item.run) item.run = Object.assign(before.run, item.run)
  if (item.number < before.count) return false
  before.count = item.number + 1
  return true
}

function nameOf(run: Run, names: Map<Run, string>): string {
  const name = names.get(run) ?? brief(run.session ?? `#${names.size}`)
  names.set(run, name)
  return name
}

/** Changes whenever what is there has changed. */
async function stateOf(path: string): Promise<string> {
  const about = await stat(path).catch(() => undefined)
  const beside = await besideOf(path, about?.isDirectory() === true)
  const messages = await newestOf(beside.filter((one) => basename(dirname(one)) === 'message'))
  const parts = messages === undefined ? [] : await lastPartsIn(messages)
  const states = await Promise.all([path, ...beside, ...parts].map(stateOfOne))
  return states.join(' ')
}

async function newestOf(folders: readonly string[]): Promise<string | undefined> {
  const ages = await Promise.all(
    folders.map(async (folder) => (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0),
  )
  return folders[ages.indexOf(ages.reduce((newest, age) => Math.max(newest, age), 0))]
}

async function stateOfOne(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) return ''
  const count = stats.isDirectory() ? (await readdir(path).catch(() => [])).length : stats.size
  return `${stats.ino}:${count}:${stats.mtimeMs}`
}
