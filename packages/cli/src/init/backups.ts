import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'
import { makeFolder, writeAtomically } from './target.js'

/** What we know of a file that we changed. */
export interface Backup {
  /** the file, as it was before; nothing if there was none */
  before: Buffer | undefined
  /** folders that we made for it, the outermost first */
  folders: string[]
  /** keys that we made in it */
  made: string[]
  /** hashes of what we wrote; as long as the file has one of them, nobody else has changed it */
  written: string[]
}

/** What we know of a file, if we changed it. */
export function readBackup(host: Host, path: string): Backup | undefined {
  const folder = folderOf(host, path)
  try {
    const record = JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'))
    if (record.version !== 1 || record.path !== path) return
    const { existed, folders, made, written } = record
    const before = existed ? readFileSync(join(folder, 'before')) : undefined
    return { before, folders, made, written }
  } catch {
    // without it, our entries are found by their commands
    return
  }
}

/** Keeps what is needed to restore a file; only the person can read it. */
export function saveBackup(host: Host, path: string, backup: Backup): void {
  const { before, ...rest } = backup
  const folder = folderOf(host, path)
  makeFolder(folder, 0o700)
  if (before) writeAtomically(join(folder, 'before'), before, 0o600)
  const record = { version: 1, path, existed: before !== undefined, ...rest }
  const text = `${JSON.stringify(record, null, 2)}\n`
  writeAtomically(join(folder, 'record.json'), Buffer.from(text), 0o600)
}

/** Forgets a file. */
export function dropBackup(host: Host, path: string): void {
  try {
    rmSync(folderOf(host, path), { recursive: true, force: true })
  } catch {
    // one that is left over does no harm: it is known by what was written
  }
}

/** Whether the file is as we left it. */
export const isAsWritten = ({ written }: Backup, bytes: Buffer): boolean =>
  written.includes(hashOf(bytes))

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

const folderOf = (host: Host, path: string) =>
  join(stateFolder(host), 'backups', hashOf(Buffer.from(path)).slice(0, 16))
