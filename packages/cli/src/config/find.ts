import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
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
 * The configuration that holds here: the file given, else the first one found from this folder upwards, not above the
 * home folder.
 */
export function findConfig(
  host: Pick<Host, 'env' | 'cwd'>,
  given?: string,
  folder = host.cwd(),
): ConfigFile | undefined {
  const home = homeOf(host)
  const path = given === undefined ? lookUp(resolve(folder), home) : resolve(host.cwd(), given)
  if (path === undefined) return
  if (!existsSync(path)) throw new UsageError(`no such configuration file: ${path}`)
  checkFile(path)
  try {
    const place = realpathSync(dirname(path))
    return {
      path,
      place: join(place, basename(path)),
      content: readFileSync(path),
      isCode: extname(path) !== '.json',
      isOwn: given !== undefined || (existsSync(home) && place === realpathSync(home)),
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
    const path = NAMES.map((name) => join(folder, name)).find(existsSync)
    if (path !== undefined) return path
    if (folder === home || folder === dirname(folder)) return
  }
}
