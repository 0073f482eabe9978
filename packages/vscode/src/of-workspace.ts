import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'

/** Whether a project is one of these folders or within one; some programs tell its hash only. */
export function isOfWorkspace(project: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const names = [folder, realOf(folder)]
    if (names.some((name) => hashOf(name) === project)) return true
    return names.some((name) => isWithin(realOf(project), name) || isWithin(project, name))
  })
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && way !== path)
}

// Gemini CLI names a project by the SHA-256 of its path
const hashOf = (path: string) => createHash('sha256').update(path).digest('hex')

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // it may be gone, or a name and no path
    return path
  }
}
