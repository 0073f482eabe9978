import { type Dirent, promises } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Environment, type Place, transcriptPlaces } from './places.js'
import { toProblem } from './source.js'
import type { Problem } from './transcript.js'

/** A transcript that is there. */
export interface FoundTranscript {
  program: string
  path: string
  /** milliseconds since the epoch */
  modifiedAt: number
  bytes: number
}

/** A place that could not be looked into. */
export interface FindProblem extends Problem {
  program: string
  path: string
}

/** Where to look for transcripts; what is not given is that of this process. */
export interface FindOptions {
  env?: Environment
  platform?: string
  home?: string
  /** only what was written to since then, in milliseconds since the epoch */
  since?: number
  /** only those of these programs */
  programs?: readonly string[]
  /** Is told of places that are there but cannot be looked into. */
  onProblem?: (problem: FindProblem) => void
}

/** Finds the transcripts on this machine, place by place. */
export async function* findTranscripts(options: FindOptions = {}): AsyncGenerator<FoundTranscript> {
  const { env = process.env, platform = process.platform, home = homedir() } = options
  const told = new Set<string>()
  for (const place of transcriptPlaces(env, platform, home)) {
    if (options.programs && !options.programs.includes(place.program)) continue
    for await (const path of filesOf(place, options)) {
      const found = await look(place, path, options)
      if (!found || told.has(found.path) || found.modifiedAt < (options.since ?? 0)) continue
      told.add(found.path)
      yield found
    }
  }
}

/** The transcripts in a folder that a person named, whatever program wrote them. */
export async function* listFolder(path: string, options: FindOptions = {}) {
  const place = { program: '', path, files: READABLE, depth: 12 }
  for await (const file of filesOf(place, options)) {
    const found = await look(place, file, options)
    if (found && found.modifiedAt >= (options.since ?? 0)) yield found
  }
}

const READABLE = /\.(?:jsonl|json|traj|db|ndjson)(?:\.gz|\.zst)?$/

async function look(
  { program, isFolder }: Place,
  file: string,
  { onProblem }: FindOptions,
): Promise<FoundTranscript | undefined> {
  const path = isFolder ? dirname(file) : file
  try {
    const { mtimeMs, size } = await promises.stat(path)
    // what is added to a folder within it does not change the folder itself
    const inside = isFolder && (await promises.stat(join(path, 'events')).catch(() => undefined))
    const modifiedAt = Math.max(mtimeMs, inside ? inside.mtimeMs : 0)
    return { program, path, modifiedAt, bytes: size }
  } catch (error) {
    onProblem?.({ program, path, ...toProblem(error, path) })
  }
}

async function* filesOf(place: Place, options: FindOptions): AsyncGenerator<string> {
  const { program, path } = place
  const stats = await promises.stat(path).catch((error: unknown) => {
    // most programs are not there at all, which is no problem
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && program !== '') return
    options.onProblem?.({ program, path, ...toProblem(error, path) })
  })
  if (stats?.isFile()) yield path
  if (stats?.isDirectory()) yield* walk(place, '', options)
}

async function* walk(place: Place, inside: string, options: FindOptions): AsyncGenerator<string> {
  const folder = join(place.path, inside)
  const entries = await promises
    .readdir(folder, { withFileTypes: true })
    .catch((error: unknown): Dirent[] => {
      options.onProblem?.({ program: place.program, path: folder, ...toProblem(error, folder) })
      return []
    })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isFile() && place.files.test(path)) yield join(place.path, path)
    const depth = path.split('/').length
    if (entry.isDirectory() && depth <= place.depth) yield* walk(place, path, options)
  }
}
