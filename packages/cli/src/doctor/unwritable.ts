import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Why files cannot be written to a folder, which may not be there yet; nothing if they can. */
export function unwritable(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder`
    accessSync(folder, constants.W_OK | constants.X_OK)
    return
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    if (isMissing && dirname(folder) !== folder) return unwritable(dirname(folder))
    return code === 'EROFS' ? `${folder} is on a read-only disk` : `${folder} is not writable`
  }
}
