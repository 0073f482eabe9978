/** How often each of the last few hundred different rounds was made, by key; the least recent comes first. */
export type Looks = Map<number, number>

// longer than any loop; a longer memory would fill the snapshot
const MAX_LOOKS = 512

// what a snapshot has room for
const MOST = 0xffff

/** Counts one more and returns the total. */
export function countLook(looks: Looks, key: number): number {
  const count = Math.min((looks.get(key) ?? 0) + 1, MOST)
  looks.delete(key)
  looks.set(key, count)
  if (looks.size > MAX_LOOKS) forgetOldest(looks)
  return count
}

function forgetOldest(looks: Looks): void {
  for (const key of looks.keys()) {
    looks.delete(key)
    return
  }
}
