import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { fixture } from './read.js'

/** How a program writes a session: its beginning, and then the rest, which it gives back to be written later. */
export type Grow = (path: string) => () => void

/** Lines or blocks of text that are appended. */
export const appended =
  (name: string, separator = '\n'): Grow =>
  (path) => {
    const parts = readFileSync(fixture(name), 'utf8').split(separator)
    const half = Math.ceil(parts.length / 2)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, parts.slice(0, half).join(separator) + separator)
    return () => appendFileSync(path, parts.slice(half).join(separator))
  }

/** A document that is written anew each time, with more in its list. */
export const rewritten =
  (name: string, key?: string): Grow =>
  (path) => {
    const whole = JSON.parse(readFileSync(fixture(name), 'utf8'))
    const list: unknown[] = key === undefined ? whole : whole[key]
    const write = (count: number) => {
      const some = list.slice(0, count)
      writeFileSync(
        `${path}.tmp`,
        JSON.stringify(key === undefined ? some : { ...whole, [key]: some }),
      )
      renameSync(`${path}.tmp`, path)
    }
    mkdirSync(dirname(path), { recursive: true })
    write(Math.ceil(list.length / 2))
    return () => write(list.length)
  }

/** A folder that gets more files; the path is that of the folder, or of a file `inside` it. */
export const filled =
  (name: string, isLate: (file: string) => boolean, inside = ''): Grow =>
  (path) => {
    const folder = inside === '' ? path : path.slice(0, -inside.length - 1)
    const files = readdirSync(fixture(name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(fixture(name), join(entry.parentPath, entry.name)))
    const copy = (some: string[]) => {
      for (const file of some) cpSync(join(fixture(name), file), join(folder, file))
    }
    copy(files.filter((file) => !isLate(file)))
    return () => copy(files.filter(isLate))
  }

/** A database that is open in its program: what it gets stands in the log beside it. */
export const logged =
  (
    write: (path: string) => void,
    rows: readonly [sql: string, values: readonly unknown[]][],
  ): Grow =>
  (path) => {
    mkdirSync(dirname(path), { recursive: true })
    write(path)
    return () => {
      const database = new sqlite.Database(path)
      database.exec('pragma locking_mode = exclusive')
      database.exec('pragma journal_mode = wal')
      for (const [sql, values] of rows) database.run(sql, values as never)
      open.push(database)
    }
  }

const open: { close(): void }[] = []

/** Closes the databases that are open. */
export function closeAll(): void {
  for (const database of open.splice(0)) database.close()
}
