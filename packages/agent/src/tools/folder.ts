import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/**
 * The real path of something that exists below the folder; throws for everything else.
 *
 * Links are followed first and judged by where they lead, each time again.
 */
export async function findWithin(folder: string, path: string): Promise<string> {
  const root = await realpath(folder)
  const target = toTarget(folder, root, path)
  const real = await realpath(target).catch(async (error) => {
    throw (await isLink(target))
      ? new PathError('a link to nowhere', path)
      : toPathError(error, path)
  })
  if (!isBelow(root, real)) throw new PathError('outside the folder', path)
  return real
}

/** The real path of a file below the folder that may still have to be created, and folders on the way to it too. */
export async function placeWithin(folder: string, path: string): Promise<string> {
  const root = await realpath(folder)
  let existing = toTarget(folder, root, path)
  const missing: string[] = []
  for (;;) {
    const real = await realpath(existing).catch(async (error) => {
      if (error.code !== 'ENOENT') throw toPathError(error, path)
      // what is created through such a link appears wherever it points to
      if (await isLink(existing)) throw new PathError('a link to nowhere', path)
    })
    if (real !== undefined) {
      if (!isBelow(root, real)) throw new PathError('outside the folder', path)
      return join(real, ...missing)
    }
    missing.unshift(basename(existing))
    existing = dirname(existing)
  }
}

/** Opens a file below the folder for reading; what was checked is what was opened. */
export async function openWithin(folder: string, path: string): Promise<FileHandle> {
  const real = await findWithin(folder, path)
  // no waiting at a pipe, and no link that took the file's place meanwhile
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(real, flags).catch((error) => {
    throw toPathError(error, path)
  })
  try {
    const opened = await handle.stat()
    if (opened.isDirectory()) throw new PathError('a folder, not a file', path)
    if (!opened.isFile()) throw new PathError('not a regular file', path)
    const found = await lstat(await findWithin(folder, path))
    if (found.ino !== opened.ino || found.dev !== opened.dev) {
      throw new PathError('changed meanwhile', path)
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** A real path as models are shown it: from the folder on, with slashes. */
export async function toShown(folder: string, real: string): Promise<string> {
  return (
    relative(await realpath(folder), real)
      .split(sep)
      .join('/') || '.'
  )
}

/** The place a path names, read from the folder and as text; links are still to be followed. */
function toTarget(folder: string, root: string, path: string): string {
  if (path.includes('\0')) throw new Error('a path cannot contain a zero byte')
  const target = resolve(folder, path)
  if (isBelow(root, target)) return target
  const named = relative(resolve(folder), target)
  if (!isBelow(resolve(folder), target)) throw new PathError('outside the folder', path)
  return join(root, named)
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const isLink = (path: string) =>
  lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )

/** Why a path cannot be used, in few words and with the path as it was given. */
export class PathError extends Error {
  override readonly name = 'PathError'
  readonly reason: string

  constructor(reason: string, path: string) {
    super(`${reason}: ${path}`)
    this.reason = reason
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ELOOP: 'a link in a circle',
  ENAMETOOLONG: 'a name too long',
}

/** An error of the file system for a model to read; others stay as they are. */
export function toPathError(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code === undefined) return error
  return new PathError(REASONS[error.code] ?? error.code, path)
}
