import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { UsageError } from '../exit-code.js'
import { homeOf } from '../home-of.js'
import type { Host } from '../host.js'

/** A configuration file before anything in it takes effect. */
export interface ConfigFile {
  path: string
  /** where it really is, whatever links led there */
  place: string
  content: Buffer
  /** whether reading it means running it */
  isCode: boolean
  /** whether it is the person's own: named by them, or in their home folder */
  isOwn: boolean
}

const NAMES = ['json', 'ts', 'mts', 'js', 'mjs'].map((end) => `unloop.config.${end}`)

/**
 * The configuration that holds here: the file given, else the first one of this user from this folder upwards, not above
 * the root of the repository or the home folder, else the person's own in their home folder.
 */
export function findConfig(
  host: Pick<Host, 'env' | 'cwd'>,
  given?: string,
  folder = host.cwd(),
): ConfigFile | undefined {
  const home = homeOf(host)
  const path =
    given === undefined
      ? (lookUp(resolve(folder), home) ?? fileIn(home))
      : resolve(host.cwd(), given)
  return path === undefined ? undefined : readFile(path, home, given !== undefined)
}

/** The person's own configuration, in their home folder. */
export function findOwnConfig(host: Pick<Host, 'env'>): ConfigFile | undefined {
  const home = homeOf(host)
  const path = fileIn(home)
  return path === undefined ? undefined : readFile(path, home, true)
}

function readFile(path: string, home: string, isNamed: boolean): ConfigFile {
  if (!existsSync(path)) throw new UsageError(`no such configuration file: ${path}`)
  checkFile(path)
  try {
    const place = realpathSync(dirname(path))
    return {
      path,
      place: join(place, basename(path)),
      content: readFileSync(path),
      isCode: extname(path) !== '.json',
      isOwn: isNamed || (existsSync(home) && place === realpathSync(home)),
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

// no configuration is as large, and a device has no end
const MAX_BYTES = 1_000_000

function checkFile(path: string): void {
  const file = statSync(path)
  if (!file.isFile()) {
    throw new UsageError(`${path} is not a regular file, so it was not read; remove or rename it`)
  }
  if (file.size > MAX_BYTES) {
    throw new UsageError(`${path} has ${file.size} bytes; a configuration has at most ${MAX_BYTES}`)
  }
}

function lookUp(start: string, home: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = fileIn(folder)
    if (path !== undefined) return path
    const isEnd = folder === home || existsSync(join(folder, '.git'))
    if (isEnd || folder === dirname(folder)) return
  }
}

const fileIn = (folder: string): string | undefined =>
  NAMES.map((name) => join(folder, name)).find(isUsable)

/** Whether a file is there, and belongs to the person: others may write into a folder above, such as /tmp. */
function isUsable(path: string): boolean {
  const target = statSync(path, { throwIfNoEntry: false })
  if (!target) return false
  const own = process.getuid?.()
  return own === undefined || (target.uid === own && lstatSync(path).uid === own)
}
