import { stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { ageOf, foldersBeside } from '../beside.js'
import { type FoundTranscript, listLocation } from '../find.js'
import type { TranscriptLocation } from '../location.js'
import { createListener } from './listener.js'
import { createWaker } from './waker.js'

/** The transcripts on the disk, kept up to date. */
export interface Catalog {
  readonly found: ReadonlyMap<string, FoundTranscript>
  /** Waits until something may have happened, and looks; gives the paths that are new, gone or written to. */
  next(): Promise<ReadonlySet<string>>
  /** Ends the wait, though nothing may have happened. */
  wake(): void
  close(): void
}

export interface CatalogOptions {
  locations: readonly TranscriptLocation[]
  /** how often to list a location where the system does not report what is written */
  scanMs: number
  onProblem?: ((problem: { path: string; message: string }) => void) | undefined
  signal: AbortSignal
}

// twenty transcripts that grow many times a second are looked at together
const GATHER_MS = 50
// where the system reports what is written, a list of everything only makes sure
const HEARD_FACTOR = 20
// with thousands of transcripts, listing takes a tenth of the time at most
const PAUSE_PER_SCAN = 10
// what was written that long before a list should have been reported by then
const REPORTED_MS = 1000

interface Place {
  location: TranscriptLocation
  /** the system reports what is written there, as far as we know */
  isHeard: boolean
  /** something was written there that only a list can tell */
  isStale: boolean
  /** when to list it again, and how soon if it is stale */
  dueAt: number
  soonestAt: number
  paths: ReadonlySet<string>
  /** paths that could not be read */
  problems: ReadonlySet<string>
}

/** Listens to the folders of the locations, and lists them now and then for what cannot be heard. */
export function createCatalog({ locations, scanMs, onProblem, signal }: CatalogOptions): Catalog {
  const places = locations.map(
    (location): Place => ({
      ...{ location, isHeard: true, isStale: true, dueAt: 0, soonestAt: 0 },
      ...{ paths: new Set(), problems: new Set() },
    }),
  )
  const found = new Map<string, FoundTranscript>()
  /** the places that a folder belongs to */
  const folders = new Map<string, Set<Place>>()
  /** the transcript that a folder belongs to */
  const owners = new Map<string, string>()
  /** paths that say that a place should be listed */
  const awaited = new Map<string, Set<Place>>()
  let written = new Set<string>()
  let takenAt = 0
  let changed = new Set<string>()
  const waker = createWaker(signal)
  const listener = createListener(
    (path) => {
      written.add(path)
      waker.wake()
    },
    (folder) => {
      for (const place of folders.get(folder) ?? []) place.isHeard = false
    },
  )

  function listen(place: Place, folder: string, isDeep: boolean): void {
    if (!listener.listen(folder, isDeep)) place.isHeard = false
  }

  /** Looks at what was reported; marks the places that have to be listed. */
  async function takeWritten(): Promise<void> {
    const paths = written
    written = new Set()
    takenAt = Date.now()
    for (const path of paths) {
      for (const place of awaited.get(path) ?? []) place.isStale = true
      // a folder that is written to as a transcript grows may come after the transcript
      if (owners.has(path)) listener.listen(path, false)
      const known = [path, path.replace(/-(?:wal|journal)$/, ''), owners.get(path)]
        .concat(owners.get(dirname(path)))
        .find((one) => one !== undefined && found.has(one))
      if (known !== undefined) await lookAgain(known)
      else await lookAtUnknown(path)
    }
  }

  async function lookAgain(path: string): Promise<void> {
    const before = found.get(path)
    if (!before) return
    const age = await ageOf(path).catch(() => undefined)
    if (!age) found.delete(path)
    else if (age.modifiedAt === before.modifiedAt && age.bytes === before.bytes) return
    else found.set(path, { ...before, ...age })
    changed.add(path)
  }

  /** A new transcript, or a new folder that may have one. */
  async function lookAtUnknown(path: string): Promise<void> {
    const near = folders.get(dirname(path))
    if (!near) return
    const isFolder = await isDirectory(path)
    if (!isFolder) folders.delete(path)
    else if (folders.has(path)) return
    for (const place of near) {
      const { path: root, files } = place.location
      const inside = relative(root, path).replaceAll('\\', '/')
      if (isFolder || files.test(inside)) place.isStale = true
    }
  }

  async function list(place: Place): Promise<void> {
    const { location, isStale } = place
    const startedAt = Date.now()
    const paths = new Set<string>()
    const problems = new Set<string>()
    place.isStale = false
    await awaitPath(place)
    const list = listLocation(location, {
      onFolder(folder) {
        addTo(folders, folder, place)
        listen(place, folder, folder === location.path)
      },
      onProblem({ path, message }) {
        if (!place.problems.has(path) && !problems.has(path)) onProblem?.({ path, message })
        problems.add(path)
      },
    })
    for await (const one of list) {
      if (signal.aborted) return
      paths.add(one.path)
      const before = found.get(one.path)
      const isSame = before?.modifiedAt === one.modifiedAt && before.bytes === one.bytes
      if (isSame || (before && before.program !== one.program)) continue
      if (before && !isStale && one.modifiedAt < takenAt - REPORTED_MS) place.isHeard = false
      await take(one, place)
    }
    for (const path of place.paths) {
      if (!paths.has(path) && found.delete(path)) changed.add(path)
    }
    Object.assign(place, { paths, problems })
    const restMs = PAUSE_PER_SCAN * (Date.now() - startedAt)
    const pauseMs = Math.max(scanMs, restMs)
    place.soonestAt = Date.now() + Math.min(scanMs / 2, restMs)
    place.dueAt = Date.now() + (place.isHeard ? HEARD_FACTOR * pauseMs : pauseMs)
  }

  async function take(one: FoundTranscript, place: Place): Promise<void> {
    const isNew = !found.has(one.path)
    found.set(one.path, one)
    changed.add(one.path)
    if (!isNew) return
    listen(place, dirname(one.path), false)
    for (const folder of await foldersBeside(one.path)) {
      owners.set(folder, one.path)
      if (await isDirectory(folder)) listen(place, folder, false)
    }
  }

  /** Listens for the place to appear, or for the file that lists its transcripts to change. */
  async function awaitPath(place: Place): Promise<void> {
    let { path } = place.location
    if (await isDirectory(path)) return
    for (let folder = dirname(path); folder !== path; path = folder, folder = dirname(folder)) {
      addTo(awaited, path, place)
      if (await isDirectory(folder)) return listen(place, folder, false)
    }
  }

  return {
    found,
    async next() {
      changed = new Set()
      const dueAt = Math.min(...places.map(timeOf))
      if (dueAt > Date.now()) await waker.pause(dueAt - Date.now(), GATHER_MS)
      await takeWritten()
      for (const place of places) {
        if (!signal.aborted && timeOf(place) <= Date.now()) await list(place)
      }
      return changed
    },
    wake: waker.wake,
    close: listener.close,
  }
}

const timeOf = ({ isStale, soonestAt, dueAt }: Place) => (isStale ? soonestAt : dueAt)

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

function addTo<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const values = map.get(key) ?? new Set()
  map.set(key, values.add(value))
}
