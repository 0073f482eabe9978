import { type Dirent, promises } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { ageOf } from './beside.js'
import { folderFormat } from './detect.js'
import type { Environment, TranscriptLocation } from './location.js'
import { transcriptLocations } from './locations.js'
import { toProblem } from './source.js'
import type { Problem } from './transcript.js'

/** A transcript that exists. */
export interface FoundTranscript {
  program: string
  path: string
  /** milliseconds since the epoch */
  modifiedAt: number
  bytes: number
}

/** A location that could not be looked into. */
export interface FindProblem extends Problem {
  program: string
  path: string
}

/** Where to look for transcripts; the defaults are those of this process. */
export interface FindOptions {
  env?: Environment
  platform?: string
  home?: string
  /** only what was written to since then, in milliseconds since the epoch */
  since?: number
  /** only those of these programs */
  programs?: readonly string[]
  /** Called for locations that exist but cannot be read. */
  onProblem?: (problem: FindProblem) => void
}

/** How one location is listed. */
export interface ListOptions extends Pick<FindOptions, 'onProblem'> {
  /** Called for each folder before it is read. */
  onFolder?: (path: string) => void
}

/** Finds the transcripts on this machine, location by location. */
export async function* findTranscripts(options: FindOptions = {}): AsyncGenerator<FoundTranscript> {
  const { env = process.env, platform = process.platform, home = homedir() } = options
  const told = new Set<string>()
  for (const location of transcriptLocations(env, platform, home)) {
    if (options.programs && !options.programs.includes(location.program)) continue
    for await (const found of listLocation(location, options)) {
      if (told.has(found.path) || found.modifiedAt < (options.since ?? 0)) continue
      told.add(found.path)
      yield found
    }
  }
}

/** The transcripts in a folder, whatever program wrote them; the folder itself, if it is one. */
export async function* listFolder(path: string, options: FindOptions = {}) {
  for await (const found of listLocation(toLocation(path), options)) {
    if (found.modifiedAt >= (options.since ?? 0)) yield found
  }
}

/** A file or folder that a person named, as a location. */
export const toLocation = (path: string): TranscriptLocation => ({
  ...{ program: '', path, files: READABLE, depth: 12 },
})

/** The transcripts in one location. */
export async function* listLocation(
  location: TranscriptLocation,
  options: ListOptions,
): AsyncGenerator<FoundTranscript> {
  for await (const file of filesOf(location, options)) {
    const found = await look(location, file, options)
    if (found) yield found
  }
}

const READABLE =
  /\.(?:jsonl|json|traj|db|ndjson)(?:\.gz|\.zst)?$|\.aider\.chat\.history\.md$|\.txt$(?<=agent-transcripts\/.*)/

async function look(
  { program, isFolder }: TranscriptLocation,
  file: string,
  { onProblem }: ListOptions,
): Promise<FoundTranscript | undefined> {
  const path = isFolder ? dirname(file) : file
  try {
    return { program, path, ...(await ageOf(path)) }
  } catch (error) {
    onProblem?.({ program, path, ...toProblem(error, path) })
  }
}

async function* filesOf(
  location: TranscriptLocation,
  options: ListOptions,
): AsyncGenerator<string> {
  const { program, path } = location
  const stats = await promises.stat(path).catch((error: unknown) => {
    // most programs are not installed, which is fine
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && program !== '') return
    options.onProblem?.({ program, path, ...toProblem(error, path) })
  })
  if (stats?.isFile()) yield* location.listed ? listedBy(location, stats.size) : [path]
  if (stats?.isDirectory()) yield* walk(location, '', await linksFrom(path), options)
}

// a line or two for each project that a person has
const MAX_LIST_BYTES = 16 * 2 ** 20

/** The transcripts that a file lists, as far as they are there. */
async function* listedBy(
  { path, listed }: TranscriptLocation,
  size: number,
): AsyncGenerator<string> {
  if (size > MAX_LIST_BYTES) return
  const content = await promises.readFile(path, 'utf8').catch(() => '')
  for (const one of listed?.(content) ?? []) {
    const stats = await promises.stat(one).catch(() => undefined)
    if (stats?.isFile()) yield one
  }
}

async function* walk(
  location: TranscriptLocation,
  inside: string,
  isElsewhere: (link: string) => Promise<boolean>,
  options: ListOptions,
): AsyncGenerator<string> {
  const folder = join(location.path, inside)
  options.onFolder?.(folder)
  const entries = await promises
    .readdir(folder, { withFileTypes: true })
    .catch((error: unknown): Dirent[] => {
      options.onProblem?.({ program: location.program, path: folder, ...toProblem(error, folder) })
      return []
    })
  // in a folder that a person named, another one may be a transcript as a whole
  const names = location.program === '' ? entries.map(({ name }) => name) : []
  if (folderFormat(names, folder)) return yield folder
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    const full = join(location.path, path)
    if (location.files.test(path)) {
      if (entry.isFile() || (entry.isSymbolicLink() && (await isElsewhere(full)))) {
        yield full
        // one file is enough to know its folder by
        if (location.isFolder) return
      }
    }
    const depth = path.split('/').length
    if (entry.isDirectory() && depth <= location.depth)
      yield* walk(location, path, isElsewhere, options)
  }
}

/** Asks of links whether they lead to a file that is not found without them. */
async function linksFrom(folder: string): Promise<(link: string) => Promise<boolean>> {
  const root = await promises.realpath(folder)
  const known = new Set<string>()
  return async (link) => {
    const real = await promises.realpath(link).catch(() => undefined)
    if (real === undefined || known.has(real) || real.startsWith(join(root, sep))) return false
    known.add(real)
    const stats = await promises.stat(real).catch(() => undefined)
    return stats?.isFile() === true
  }
}
