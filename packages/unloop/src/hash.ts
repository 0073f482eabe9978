/**
 * A seeded 64-bit hash, two lanes of 32 bits.
 *
 * The lanes take the same words through different rotations, so a difference that cancels out in one
 * does not in the other; with a secret seed nobody can look for a collision offline. It is not a
 * cryptographic hash, and it does not have to be: nobody ever sees a lane's value.
 */
export interface Hash {
  a: number
  b: number
}

// odd multipliers with about half of their bits set: the golden ratio and the square root of 2, as
// fractions of 2^32
const GOLDEN = 0x9e3779b1
const ROOT2 = 0x6a09e667

/** A seed for one session, so that nobody can prepare two calls that look like one. */
export function randomSeed(): Hash {
  const word = () => Math.floor(Math.random() * 0x1_0000_0000) | 0
  return { a: word(), b: word() }
}

/** The same seed everywhere, for names that have to be equal in every session. */
export const FIXED_SEED: Hash = { a: 1, b: 2 }

/** Takes one 32-bit word. */
export function addWord(hash: Hash, word: number): void {
  hash.a = Math.imul(hash.a ^ word, GOLDEN)
  hash.b = Math.imul(hash.b ^ ((word << 7) | (word >>> 25)), ROOT2)
}

/** Takes a string, its length included. */
export function addString(hash: Hash, text: string): void {
  let { a, b } = hash
  const { length } = text
  const whole = length & ~3
  // four characters a step; each pair is multiplied in both lanes, or differences could be made to cancel out
  for (let i = 0; i < whole; i += 4) {
    const one = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
    const two = text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16)
    a = Math.imul(Math.imul(a ^ one, GOLDEN) ^ two, GOLDEN)
    b = Math.imul(b ^ ((one << 7) | (one >>> 25)), ROOT2)
    b = Math.imul(b ^ ((two << 7) | (two >>> 25)), ROOT2)
  }
  hash.a = a
  hash.b = b
  for (let i = whole; i < length; i++) addWord(hash, text.charCodeAt(i))
  addWord(hash, length)
}

/** Adds another hash to a sum, in whatever order they come. */
export function addUnordered(sum: Hash, { a, b }: Hash): void {
  sum.a = (sum.a + avalanche(a ^ (b >>> 16))) | 0
  sum.b = (sum.b + avalanche(b ^ (a >>> 16))) | 0
}

function avalanche(word: number): number {
  const mixed = Math.imul(word ^ (word >>> 15), GOLDEN)
  return mixed ^ (mixed >>> 13)
}
