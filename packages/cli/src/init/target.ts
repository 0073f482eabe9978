import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../exit-code.js'

/** A file that is to be changed, as it is now. */
export interface Target {
  /** where it really is, behind links */
  path: string
  /** what is in it; nothing if there is no such file */
  bytes: Buffer | undefined
}

// settings are written by hand: the largest seen have some hundred lines
const MAX_BYTES = 4 * 2 ** 20

/** Reads a file. Throws a `UsageError` that says why it cannot be changed. */
export function readTarget(path: string): Target {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return { path, bytes: undefined }
    const real = realpathSync(path)
    const stat = statSync(real)
    if (!stat.isFile()) throw new UsageError(`cannot change ${path}: it is not a regular file`)
    // we could replace it, but whoever made it read-only did not want that
    accessSync(real, constants.W_OK)
    if (stat.size > MAX_BYTES) throw new UsageError(`cannot change ${path}: it is larger than 4 MB`)
    return { path: real, bytes: readFileSync(real) }
  } catch (error) {
    throw explained(path, error)
  }
}

/** The text of a file. Throws a `UsageError` if it is not UTF-8, which would not survive a change. */
export function textOf({ path, bytes = Buffer.alloc(0) }: Target): { mark: string; text: string } {
  const text = bytes.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(bytes)) {
    throw new UsageError(`cannot change ${path}: it is not UTF-8 text`)
  }
  return text.startsWith(MARK) ? { mark: MARK, text: text.slice(1) } : { mark: '', text }
}

/** Makes a folder and those around it. */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { recursive: true, mode })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const words = code === 'ENOENT' ? 'there is no place for it' : REASONS[code]
    throw words === undefined ? error : new UsageError(`cannot make the folder ${folder}: ${words}`)
  }
}

/** Writes a file as a whole: whoever reads meanwhile finds the old one or the new one. */
export function writeAtomically(path: string, bytes: Uint8Array, newMode = 0o644): void {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.unloop`)
  try {
    const old = statSync(path, { throwIfNoEntry: false })
    const file = openSync(draft, 'wx', old?.mode ?? newMode)
    try {
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    chmodSync(draft, old ? old.mode & 0o7777 : newMode)
    if (old && process.getuid?.() === 0) chownSync(draft, old.uid, old.gid)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw explained(path, error)
  }
}

const MARK = '\ufeff'

function explained(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  const words = code === undefined ? undefined : REASONS[code]
  return words === undefined ? error : new UsageError(`cannot change ${path}: ${words}`)
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EEXIST: 'a file is in its place',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENOENT: 'it is a link to a file that does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}
