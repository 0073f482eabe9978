/**
 * A seeded 128-bit hash over UTF-16 units, four lanes of 32 bits.
 *
 * The lanes take the same words through different rotations, so a difference that cancels out in one
 * does not in the others; with a secret seed nobody can look for a collision offline. It is not a
 * cryptographic hash, and it does not have to be: nobody ever sees a lane's value.
 */
export interface Hash {
  a: number
  b: number
  c: number
  d: number
}

// odd multipliers with about half of their bits set: the golden ratio and the square roots of 2, 3
// and 5, as fractions of 2^32
const GOLDEN = 0x9e3779b1
const ROOT2 = 0x6a09e667
const ROOT3 = 0xbb67ae85
const ROOT5 = 0x3c6ef373

/** A hash that starts from a seed of four numbers. */
export const startHash = (seed: Hash): Hash => ({ a: seed.a, b: seed.b, c: seed.c, d: seed.d })

/** A seed for one session, so that nobody can prepare two calls that look like one. */
export function randomSeed(): Hash {
  const word = () => Math.floor(Math.random() * 0x1_0000_0000) | 0
  return { a: word(), b: word(), c: word(), d: word() }
}

/** The same seed everywhere, for names that have to be equal in every session. */
export const FIXED_SEED: Hash = { a: 1, b: 2, c: 3, d: 4 }

/** Takes one 32-bit word. */
export function addWord(hash: Hash, word: number): void {
  hash.a = Math.imul(hash.a ^ word, GOLDEN)
  hash.b = Math.imul(((hash.b << 13) | (hash.b >>> 19)) ^ word, ROOT2)
  hash.c = Math.imul(hash.c ^ ((word << 7) | (word >>> 25)), ROOT3)
  hash.d = Math.imul(((hash.d << 17) | (hash.d >>> 15)) + word, ROOT5)
}

/** Takes a string, its length included. */
export function addString(hash: Hash, text: string): void {
  let { a, b, c, d } = hash
  const { length } = text
  const whole = length & ~3
  // each pair of characters goes through two lanes, and every lane through the others
  for (let i = 0; i < whole; i += 4) {
    const one = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
    const two = text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16)
    a = Math.imul(a ^ one, GOLDEN) + d
    b = Math.imul(((b << 13) | (b >>> 19)) ^ one, ROOT2)
    c = Math.imul(c ^ two, ROOT3) + b
    d = Math.imul(((d << 17) | (d >>> 15)) + two, ROOT5)
  }
  hash.a = a | 0
  hash.b = b
  hash.c = c | 0
  hash.d = d
  for (let i = whole; i < length; i++) addWord(hash, text.charCodeAt(i))
  addWord(hash, length)
}

/** Adds another hash without regard to order: for the entries of an object. */
export function addUnordered(sum: Hash, entry: Hash): void {
  stir(entry, 0)
  sum.a = (sum.a + entry.a) | 0
  sum.b = (sum.b + entry.b) | 0
  sum.c = (sum.c + entry.c) | 0
  sum.d = (sum.d + entry.d) | 0
}

/** Takes the value of another hash. */
export function addHash(hash: Hash, other: Hash): void {
  addWord(hash, other.a)
  addWord(hash, other.b)
  addWord(hash, other.c)
  addWord(hash, other.d)
}

/** The 128 bits as text. */
export function hashText(hash: Hash): string {
  mix(hash)
  return `${hash.a}.${hash.b}.${hash.c}.${hash.d}`
}

/** Lets every lane depend on every other. */
function mix(hash: Hash): void {
  stir(hash, 0)
  stir(hash, 1)
}

function stir(hash: Hash, round: number): void {
  hash.a = avalanche((hash.a + hash.d) | 0)
  hash.b = avalanche((hash.b ^ hash.a) + round)
  hash.c = avalanche((hash.c + hash.b) | 0)
  hash.d = avalanche(hash.d ^ hash.c)
}

function avalanche(value: number): number {
  let x = value ^ (value >>> 16)
  x = Math.imul(x, GOLDEN)
  x ^= x >>> 15
  x = Math.imul(x, ROOT3)
  return x ^ (x >>> 16)
}
