/** How often each of the last few hundred different rounds came, by their keys; the one that is longest ago comes first. */
export type Looks = Map<number, number>

// more than any loop goes through; a longer memory would fill the snapshot
const MAX_LOOKS = 512

/** Counts one more, and tells how many there were. */
export function countLook(looks: Looks, key: number): number {
  const count = (looks.get(key) ?? 0) + 1
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
