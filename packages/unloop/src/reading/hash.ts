/** A secret of one session: two words of 32 bits. */
export interface Seed {
  a: number
  b: number
}

/**
 * The state of a keyed hash: HalfSipHash with one round per word and three at the end. Simple multiplying hashes have pairs
 * of texts that collide for every seed or for half of them; none are known for this one.
 */
export interface Hash {
  v0: number
  v1: number
  v2: number
  v3: number
}

/** A seed for one session, so that nobody can craft two calls that look like one. */
export function randomSeed(): Seed {
  const word = () => Math.floor(Math.random() * 0x1_0000_0000) | 0
  return { a: word(), b: word() }
}

/** The same seed everywhere, for names that have to be equal in every session. */
export const FIXED_SEED: Seed = { a: 1, b: 2 }

// the constants of HalfSipHash: the ASCII of "lygenera" and "tedbytes"
export const startHash = ({ a, b }: Seed): Hash => ({
  v0: a,
  v1: b,
  v2: a ^ 0x6c796765,
  v3: b ^ 0x74656462,
})

/** Copies the state into another object and returns that. */
export function copyHash(from: Hash, to: Hash): Hash {
  to.v0 = from.v0
  to.v1 = from.v1
  to.v2 = from.v2
  to.v3 = from.v3
  return to
}

/** Takes one 32-bit word. */
export function addWord(hash: Hash, word: number): void {
  let { v0, v1, v2, v3 } = hash
  v3 ^= word
  v0 = (v0 + v1) | 0
  v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
  v0 = (v0 << 16) | (v0 >>> 16)
  v2 = (v2 + v3) | 0
  v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
  v0 = (v0 + v3) | 0
  v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
  v2 = (v2 + v1) | 0
  v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
  v2 = (v2 << 16) | (v2 >>> 16)
  hash.v0 = v0 ^ word
  hash.v1 = v1
  hash.v2 = v2
  hash.v3 = v3
}

/** Takes a string, its length included. */
export function addString(hash: Hash, text: string): void {
  let { v0, v1, v2, v3 } = hash
  const { length } = text
  // the round of `addWord` inlined, two characters per word: a call for each takes three times as long
  for (let i = 0; i < length; i += 2) {
    const word = text.charCodeAt(i) | (i + 1 < length ? text.charCodeAt(i + 1) << 16 : 0)
    v3 ^= word
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
    v0 ^= word
  }
  hash.v0 = v0
  hash.v1 = v1
  hash.v2 = v2
  hash.v3 = v3
  addWord(hash, length)
}

const last: Hash = startHash(FIXED_SEED)
const ended: Seed = { a: 0, b: 0 }

/** The hash of everything so far: 64 bits in two words, valid until the next call. More can be added afterward. */
export function endHash(hash: Hash): Seed {
  copyHash(hash, last)
  last.v2 ^= 0xff
  addWord(last, 0)
  addWord(last, 0)
  addWord(last, 0)
  ended.a = last.v1 ^ last.v3
  ended.b = last.v0 ^ last.v2
  return ended
}
