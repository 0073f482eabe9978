import { readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { besideOf, lastPartsIn } from './beside.js'
import { brief } from './brief.js'
import type { Following } from './follow.js'
import { readTranscript } from './read.js'
import type { Run, Summary, TranscriptItem } from './transcript.js'

/** The runs that were told of so far, by name, and how many events of each; silent ones are forgotten, but not their counts. */
type Known = Map<string, { run: Run | undefined; count: number; grewAt: number }>

// a large database is read as often as it is written to, but for no more than a third of the time
const REST = 2

/**
 * Follows what is rewritten as a whole, or row by row: when it has changed it is read again, and what was
 * told before is left out. A run that has become shorter was rewritten, and starts over.
 */
export async function* followAgain(
  path: string,
  summary: Summary,
  options: Following,
): AsyncGenerator<TranscriptItem[], void, undefined> {
  const known: Known = new Map()
  let last = ''
  let isCaughtUp = false
  let tookMs = 0
  do {
    const startedAt = Date.now()
    const state = await stateOf(path)
    if (state !== last) {
      const again = yield* tellNew(summary, options, known)
      for (const name of again) known.delete(name)
      if (again.length > 0) yield* tellNew(summary, options, known)
      last = state
    }
    if (!isCaughtUp) yield []
    isCaughtUp = true
    forgetSilent(known, options.silentMs)
    tookMs = Date.now() - startedAt
  } while (await options.pause(REST * tookMs))
}

/** Tells what is new; gives the names of the runs to be told from their start: they have become shorter, or were forgotten. */
async function* tellNew(
  summary: Summary,
  options: Following,
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
  return [...known].flatMap(([name, { run, count }]) => {
    const now = counts.get(name) ?? 0
    return (now < count && isWhole) || (now > count && !run) ? [name] : []
  })
}

/** Whether an item was not told yet; if so it becomes one of the run that is known. */
function isFresh(item: TranscriptItem, name: string, known: Known): boolean {
  const before = known.get(name) ?? { run: item.run, count: 0, grewAt: 0 }
  known.set(name, before)
  if (before.run && before.run !== item.run) item.run = Object.assign(before.run, item.run)
  if (item.number < before.count || !before.run) return false
  before.count = item.number + 1
  before.grewAt = Date.now()
  return true
}

function forgetSilent(known: Known, silentMs = Number.POSITIVE_INFINITY): void {
  const since = Date.now() - silentMs
  for (const one of known.values()) if (one.grewAt < since) one.run = undefined
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
