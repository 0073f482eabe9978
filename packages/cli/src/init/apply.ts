import { readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { dropBackup, saveBackup } from './backups.js'
import type { Change } from './change.js'
import { makeFolder, writeAtomically } from './target.js'

/** Makes all of these changes, or none: if one fails, those before it are taken back. */
export function apply(host: Host, changes: readonly Change[]): void {
  for (const _ of stepsOf(host, changes));
}

/** Makes changes, a step at a time. After any step, each file is the old one or the new one. */
export function* stepsOf(host: Host, changes: readonly Change[]): Generator<void> {
  const begun: Change[] = []
  try {
    for (const change of changes) {
      if (!isAs(change.path, change.from)) throw new UsageError(meanwhile(change.path))
      begun.unshift(change)
      if (change.to) yield* write(host, change, change.to)
      else rmSync(change.path, { force: true })
      yield
    }
  } catch (error) {
    for (const change of begun) takeBack(host, change)
    throw error
  }
  for (const folder of changes.flatMap(({ emptied }) => emptied)) removeIfEmpty(folder)
  yield
  for (const { backup, path } of changes) if (!backup) dropBackup(host, path)
}

function* write(host: Host, { path, backup, mode }: Change, bytes: Buffer) {
  if (backup) saveBackup(host, path, backup)
  yield
  makeFolder(dirname(path))
  yield
  writeAtomically(path, bytes, mode)
}

function takeBack(host: Host, { path, from, backup, mode }: Change): void {
  if (!isAs(path, from)) {
    if (from) {
      makeFolder(dirname(path))
      writeAtomically(path, from, mode)
    } else rmSync(path, { force: true })
  }
  if (!backup) return
  for (const folder of backup.folders.toReversed()) removeIfEmpty(folder)
  // an older backup is still good for what is there now
  if (!from || backup.before?.equals(from)) dropBackup(host, path)
}

const meanwhile = (path: string) =>
  `cannot change ${path}: it was changed meanwhile; run the command again`

function isAs(path: string, bytes: Buffer | undefined): boolean {
  try {
    const now = readFileSync(path)
    return bytes?.equals(now) ?? false
  } catch (error) {
    return bytes === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // others use it
  }
}
