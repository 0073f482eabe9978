import { toMention } from '../attach/mention.js'
import { listPaths } from './list-paths.js'
import { type IndexedPath, toIndexed } from './rank.js'

/** The paths of a folder that can be written in a message, listed when they are first asked for and again when they are old. */
export interface FileIndex {
  /** The paths as they are known now; `onMore` is called when there are newer ones. */
  list(onMore: () => void): readonly IndexedPath[]
}

// a file that was created a moment ago should be found
const FRESH_MS = 5000

export function createFileIndex(folder: string): FileIndex {
  let paths: readonly IndexedPath[] = []
  let listedAt = Number.NEGATIVE_INFINITY
  let isListing = false

  async function refresh(onMore: () => void) {
    isListing = true
    paths = (await listPaths(folder)).filter(toMention).map(toIndexed)
    isListing = false
    listedAt = performance.now()
    onMore()
  }

  return {
    list(onMore) {
      if (!isListing && performance.now() - listedAt > FRESH_MS) refresh(onMore)
      return paths
    },
  }
}
