/** A path with what it is compared by. */
export interface IndexedPath {
  path: string
  lower: string
  /** where its last name begins */
  base: number
}

export const toIndexed = (path: string): IndexedPath => ({
  path,
  lower: path.toLowerCase(),
  base: path.lastIndexOf('/', path.length - 2) + 1,
})

/** The paths that match best: by how the last name begins, what it contains, what the path contains, then by letters in their order. */
export function rank(paths: readonly IndexedPath[], query: string, limit: number): string[] {
  const wanted = query.toLowerCase()
  const tiers: IndexedPath[][] = [[], [], [], []]
  for (const each of paths) {
    const tier = tierOf(each, wanted)
    if (tier !== undefined) tiers[tier]?.push(each)
  }
  const best: IndexedPath[] = []
  for (const tier of tiers) {
    if (best.length < limit) best.push(...tier.sort(byDepth))
  }
  return best.slice(0, limit).map(({ path }) => path)
}

function tierOf({ lower, base }: IndexedPath, wanted: string): number | undefined {
  if (lower.startsWith(wanted, base)) return 0
  if (lower.includes(wanted, base)) return 1
  if (lower.includes(wanted)) return 2
  return hasInOrder(lower, wanted) ? 3 : undefined
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

/** Near the top first, then short ones, then by name. */
const byDepth = (a: IndexedPath, b: IndexedPath) =>
  a.base - b.base || a.path.length - b.path.length || (a.path < b.path ? -1 : 1)
