import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Host } from '../host.js'

/** Where a program is on the PATH, looking only in some of its folders if asked to. */
export function findProgram(
  { env, platform }: Host,
  name: string,
  isMeant: (folder: string) => boolean = () => true,
): string | undefined {
  const ends = platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD').split(';') : ['']
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isMeant(folder))
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
