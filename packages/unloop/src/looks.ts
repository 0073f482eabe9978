/** How often things came, by a hash, in four kilobytes: two counters each, of which the smaller is believed. */
export type Looks = Uint8Array

const COUNTERS = 4096

export const createLooks = (): Looks => new Uint8Array(COUNTERS)

/** Counts one more, and tells how many there were; never less than the truth up to 255. */
export function countLook(looks: Looks, hash: number): number {
  const one = Math.imul(hash, 0x9e3779b1) >>> 20
  const two = Math.imul(hash ^ 0x5bd1e995, 0x85ebca6b) >>> 20
  const count = Math.min(looks[one] as number, looks[two] as number) + 1
  looks[one] = Math.max(looks[one] as number, Math.min(count, 255))
  looks[two] = Math.max(looks[two] as number, Math.min(count, 255))
  return count
}
