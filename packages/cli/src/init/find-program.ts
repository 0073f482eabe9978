import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Host } from '../host.js'

/** Where a program is on the PATH. Folders that npm adds for the time of one command do not count. */
export function findProgram({ env, platform }: Host, name: string): string | undefined {
  const ends = platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD').split(';') : ['']
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .flatMap((folder) => ends.map((end) => join(folder, name + end)))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
