import { realpath, stat } from 'node:fs/promises'
import { toReference } from './chat/path-reference.js'
import { type Folder, fromShownPath, toShownPath } from './folders.js'

/** A file of the workspace, and the line that is meant. */
export interface WorkspaceFile {
  path: string
  line: number
}

/** The file that a text names, as in `src/a.ts:12`; only one that is there, and within these folders wherever links lead. */
export async function findWorkspaceFile(
  folders: readonly Folder[],
  word: string,
): Promise<WorkspaceFile | undefined> {
  const reference = toReference(word)
  const path = reference && fromShownPath(folders, reference.path)
  if (!path) return
  try {
    const real = await realpath(path)
    const roots = await Promise.all(
      folders.map(async ({ name, path: root }) => ({ name, path: await realpath(root) })),
    )
    if (toShownPath(roots, real) === undefined || !(await stat(real)).isFile()) return
    return { path, line: reference.line ?? 1 }
  } catch {
    // it is not there
    return
  }
}
