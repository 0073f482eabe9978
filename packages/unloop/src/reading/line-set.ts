/**
 * Which lines were seen, in a few kilobytes: bits set by two hashes, in two generations, so that the
 * oldest are forgotten when it fills up. Rarely, a new line looks like a known one; within a generation,
 * never the other way around.
 */
export interface LineSet {
  now: Uint8Array
  before: Uint8Array
  count: number
}

const BYTES = 4096
// at this many lines, one in ten new lines looks like a known one
const GENERATION = 6000

export const createLineSet = (): LineSet => ({
  now: new Uint8Array(BYTES),
  before: new Uint8Array(BYTES),
  count: 0,
})

/** Whether this line is new; marks it as seen. */
export function isFreshLine(set: LineSet, hash: number): boolean {
  const one = Math.imul(hash, 0x9e3779b1) >>> 17
  const two = Math.imul(hash ^ 0x5bd1e995, 0x85ebca6b) >>> 17
  if (has(set.now, one, two)) return false
  const fresh = !has(set.before, one, two)
  set.now[one >> 3] = (set.now[one >> 3] as number) | (1 << (one & 7))
  set.now[two >> 3] = (set.now[two >> 3] as number) | (1 << (two & 7))
  if (++set.count >= GENERATION) {
    set.before = set.now
    set.now = new Uint8Array(BYTES)
    set.count = 0
  }
  return fresh
}

const has = (bits: Uint8Array, one: number, two: number) =>
  (((bits[one >> 3] as number) >> (one & 7)) & ((bits[two >> 3] as number) >> (two & 7)) & 1) === 1
