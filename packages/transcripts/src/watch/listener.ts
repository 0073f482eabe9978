import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join, sep } from 'node:path'

/** Hears from the system what is written in folders. */
export interface Listener {
  /** Listens to a folder, and to all in it where the system can do that; false if it cannot be heard. */
  listen(folder: string, isDeep: boolean): boolean
  close(): void
}

// half of what the smallest default of Linux leaves to all programs of a user
const MAX_FOLDERS = 4096

/** Calls `onWrite` with the path of what was created, written to or removed, or with the folder if it is not told. */
export function createListener(
  onWrite: (path: string) => void,
  onDeaf: (folder: string) => void,
): Listener {
  const open = new Map<string, { watcher: FSWatcher; isDeep: boolean }>()

  function drop(folder: string): void {
    open.get(folder)?.watcher.close()
    open.delete(folder)
  }

  /** What comes back under this name is another folder. */
  function dropIfGone(folder: string): void {
    if (open.has(folder) && !existsSync(folder)) drop(folder)
  }

  function isHeard(folder: string): boolean {
    if (open.has(folder)) return true
    if (!HEARS_DEEP) return false
    return [...open].some(([root, { isDeep }]) => isDeep && folder.startsWith(root + sep))
  }

  return {
    listen(folder, isDeep) {
      if (isHeard(folder)) return true
      if (open.size >= MAX_FOLDERS) return false
      try {
        const recursive = isDeep && HEARS_DEEP
        const watcher = watch(folder, { persistent: false, recursive }, (type, name) => {
          const path = name === null ? folder : join(folder, name)
          if (type === 'rename') for (const one of [folder, path]) dropIfGone(one)
          onWrite(path)
        })
        watcher.on('error', () => {
          drop(folder)
          onDeaf(folder)
        })
        open.set(folder, { watcher, isDeep: recursive })
        return true
      } catch {
        // it is gone, the limit of the system is reached, or its disk cannot be watched
        return false
      }
    },
    close() {
      for (const folder of [...open.keys()]) drop(folder)
    },
  }
}

// on Linux, Node would open every folder below as well
const HEARS_DEEP = process.platform === 'darwin' || process.platform === 'win32'
