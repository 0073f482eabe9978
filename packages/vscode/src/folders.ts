import { isAbsolute, join, relative, sep } from 'node:path'

/** A folder of the workspace, and the name that paths within it begin with. */
export interface Folder {
  name: string
  path: string
}

/** The folders with names that differ, where two have the same. */
export function nameFolders(folders: readonly Folder[]): Folder[] {
  const taken = new Set<string>()
  return folders.map(({ name, path }) => {
    const plain = name.replace(/[\\/]/g, '-') || 'folder'
    let unique = plain
    for (let count = 2; taken.has(unique); count++) unique = `${plain}-${count}`
    taken.add(unique)
    return { name: unique, path }
  })
}

/** A path as tools and people are shown it: from the only folder on, or with the name of its folder first. */
export function toShownPath(folders: readonly Folder[], path: string): string | undefined {
  // of folders within each other, the innermost
  const [folder] = folders
    .filter((one) => wayFrom(one, path) !== undefined)
    .sort((a, b) => b.path.length - a.path.length)
  if (!folder) return
  const way = (wayFrom(folder, path) ?? '').split(sep).join('/')
  return folders.length === 1 ? way : `${folder.name}/${way}`
}

/** The path that is shown as this, wherever that leads. */
export function fromShownPath(folders: readonly Folder[], shown: string): string | undefined {
  const [only] = folders
  if (folders.length === 1 && only) return join(only.path, shown)
  const { folder, rest } = splitShown(folders, shown)
  return folder && join(folder.path, rest)
}

/** The folder that a path begins with, and the path within it. */
export function splitShown(
  folders: readonly Folder[],
  shown: string,
): { folder: Folder | undefined; rest: string } {
  const [first = '', ...rest] = shown.replace(/^(?:\.?\/)+/, '').split('/')
  return { folder: folders.find(({ name }) => name === first), rest: rest.join('/') || '.' }
}

function wayFrom(folder: Folder, path: string): string | undefined {
  const way = relative(folder.path, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way
}
