import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Where else a transcript is written to as it grows, by its path; these files need not exist. */
export async function besideOf(path: string, isFolder: boolean): Promise<string[]> {
  if (isFolder) {
    // events of OpenHands; messages of opencode, in a folder for each session
    const messages = join(path, 'message')
    const sessions = await readdir(messages).catch((): string[] => [])
    return [join(path, 'events'), ...sessions.map((name) => join(messages, name))]
  }
  if (SESSION.test(path)) {
    return [join(storageOf(path), 'message', basename(path, '.json'))]
  }
  // what a database has not taken in yet
  return JSON_FILE.test(path) ? [] : [`${path}-wal`]
}

/** The folder with all that opencode keeps, of the file of one session. */
export const storageOf = (session: string): string => dirname(dirname(dirname(session)))

/** Where the last message of an opencode session is being written: its file, and those of its parts. */
export async function lastPartsIn(messages: string): Promise<string[]> {
  const last = (await readdir(messages).catch((): string[] => [])).sort().at(-1)
  if (last === undefined) return []
  const parts = join(dirname(dirname(messages)), 'part', basename(last, '.json'))
  const names = await readdir(parts).catch((): string[] => [])
  return [join(messages, last), parts, ...names.map((name) => join(parts, name))]
}

/** Folders in which a transcript is written to as it grows, other than the one that it is in. */
export async function foldersBeside(path: string): Promise<string[]> {
  if (FILE.test(path)) return []
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
  const beside = (await besideOf(path, isFolder)).filter((one) => !one.endsWith('-wal'))
  return isFolder ? [path, ...beside] : beside
}

/** When a transcript was last written to, in milliseconds since the epoch, and its size. */
export async function ageOf(path: string): Promise<{ modifiedAt: number; bytes: number }> {
  const stats = await stat(path)
  const beside = await besideOf(path, stats.isDirectory())
  const times = await Promise.all(
    beside.map((one) =>
      stat(one).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const modifiedAt = times.reduce((newest, time) => Math.max(newest, time), stats.mtimeMs)
  return { modifiedAt, bytes: stats.size }
}

const SESSION = /[\\/]session[\\/][^\\/]+[\\/]ses[^\\/]*\.json$/
// sessions of opencode are the files that have a folder beside them
const FILE = /\.(?:jsonl|ndjson|db)$/
const JSON_FILE = /\.(?:jsonl|json|traj|ndjson)(?:\.gz|\.zst)?$/
