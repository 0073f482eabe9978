import { toInert } from '../intake/inert.js'
import {
  addString,
  addWord,
  copyHash,
  endHash,
  FIXED_SEED,
  type Hash,
  type Seed,
  startHash,
} from './hash.js'

/**
 * A key for a call: equal keys mean the same tool with the same arguments, whatever the order of
 * their fields, and whether they came as an object or as JSON text. Never throws.
 *
 * @example callKey('grep', { in: '.', query: 'x' }) === callKey('grep', { query: 'x', in: '.' })
 */
export const callKey = (name: string, args?: unknown): string =>
  String(keyOf(typeof name === 'string' ? name : '', fromJsonText(toInert(args)), FIXED_SEED))

/** The same as a number below `KEYS`, for one session and for arguments that are plain data. */
export function keyOf(name: string, args: unknown, seed: Seed): number {
  const start = startHash(seed)
  addString(start, name)
  const sum = { ...endHash(start) }
  // level by level, so that depth cannot overflow the stack
  const found: Found[] = []
  addValue(sum, start, args, found)
  for (let i = 0; i < found.length; i++) addMembers(sum, found[i] as Found, found)
  return (sum.a >>> 0) * 2 ** 20 + (sum.b >>> 12)
}

/** The number of keys; the sum of two is still exact. */
export const KEYS = 2 ** 52

/** An object among the arguments, with the hash of its place. */
interface Found {
  value: object
  place: Hash
}

const float = new Float64Array(1)
const floatWords = new Int32Array(float.buffer)

/** Adds a value to the sum, at the place given by the hash. */
function addValue(sum: Seed, place: Hash, value: unknown, found: Found[]): void {
  if (typeof value === 'string') {
    addWord(place, 4)
    addString(place, value)
  } else if (typeof value === 'object' && value !== null) {
    addWord(place, Array.isArray(value) ? 9 : 8)
    found.push({ value, place: { ...place } })
  } else {
    // so that null, 0, '' and false differ
    addString(place, value === null ? '' : typeof value)
    if (typeof value === 'number') {
      float[0] = value === 0 ? 0 : value
      addWord(place, floatWords[0] as number)
      addWord(place, floatWords[1] as number)
    } else addString(place, String(value))
  }
  // members may come in any order, so their hashes are added up
  const { a, b } = endHash(place)
  sum.a = (sum.a + a) | 0
  sum.b = (sum.b + b) | 0
}

const inner = startHash(FIXED_SEED)

function addMembers(sum: Seed, { value, place }: Found, found: Found[]): void {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      addWord(copyHash(place, inner), i)
      addValue(sum, inner, value[i], found)
    }
    return
  }
  for (const key of Object.keys(value)) {
    addString(copyHash(place, inner), key)
    addValue(sum, inner, (value as Record<string, unknown>)[key], found)
  }
}

/** Some protocols send arguments as JSON text, which means the same as the object. */
export function fromJsonText(args: unknown): unknown {
  if (typeof args !== 'string') return args
  const first = args.trimStart().charCodeAt(0)
  if (first !== 0x7b && first !== 0x5b) return args
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}
