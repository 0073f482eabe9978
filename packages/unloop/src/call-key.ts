import { addString, addUnordered, addWord, FIXED_SEED, type Hash } from './hash.js'

/**
 * When two calls are the same call: equal keys mean the same tool with the same arguments, whatever
 * the order of keys and whether they came as an object or as JSON text. Never throws.
 *
 * @example callKey('grep', { in: '.', query: 'x' }) === callKey('grep', { query: 'x', in: '.' })
 */
export const callKey = (name: string, args?: unknown): string =>
  String(keyOf(name, args, FIXED_SEED))

/** The same as a number below `KEYS`, for one session. */
export function keyOf(name: string, args: unknown, seed: Hash): number {
  const sum = { a: seed.a, b: seed.b }
  addString(sum, name)
  // level by level, so that no depth is too much for the stack
  const found: Found[] = []
  addValue(sum, { a: sum.a, b: sum.b }, fromJsonText(args), found)
  for (let i = 0; i < found.length; i++) {
    try {
      addMembers(sum, found[i] as Found, found)
    } catch {
      addUnordered(sum, { ...(found[i] as Found).place })
    }
  }
  return (sum.a >>> 0) * 2 ** 20 + (sum.b >>> 12)
}

/** So many keys there are; the sum of two is still exact. */
export const KEYS = 2 ** 52

/** An object among the arguments, with the hash of the place where it stands. */
interface Found {
  value: object
  place: Hash
}

// a word for each, so that null, 0, '' and false differ
const TYPES = 'undefined null boolean number string bigint symbol function object list'.split(' ')

// circles and objects that share parts unfold without end; no arguments that came as JSON are as large
const MAX_OBJECTS = 200_000

const float = new Float64Array(1)
const floatWords = new Int32Array(float.buffer)

/** Adds a value to the sum, at the place that the other hash stands for. */
function addValue(sum: Hash, place: Hash, value: unknown, found: Found[]): void {
  if (typeof value === 'string') {
    addWord(place, 4)
    addString(place, value)
  } else if (typeof value === 'object' && value !== null) {
    addWord(place, Array.isArray(value) ? 9 : 8)
    if (found.length < MAX_OBJECTS) found.push({ value, place: { a: place.a, b: place.b } })
  } else {
    addWord(place, value === null ? 1 : TYPES.indexOf(typeof value))
    if (typeof value === 'number') {
      float[0] = value === 0 ? 0 : value
      addWord(place, floatWords[0] as number)
      addWord(place, floatWords[1] as number)
    } else addString(place, String(value))
  }
  addUnordered(sum, place)
}

function addMembers(sum: Hash, { value, place }: Found, found: Found[]): void {
  const inner = { a: 0, b: 0 }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      inner.a = place.a
      inner.b = place.b
      addWord(inner, i)
      addValue(sum, inner, value[i], found)
    }
    return
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    addString(place, String(value.constructor?.name))
    const shown = toPlain(value)
    if (shown !== value) return addValue(sum, place, shown, found)
  }
  for (const key of Object.keys(value)) {
    inner.a = place.a
    inner.b = place.b
    addString(inner, key)
    addValue(sum, inner, (value as Record<string, unknown>)[key], found)
  }
}

/** What an object of a class holds: what it says it is as JSON, its members, its fields, or its text. */
function toPlain(value: object & { toJSON?: unknown }): unknown {
  if (typeof value.toJSON === 'function') return value.toJSON()
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)]
  if (Symbol.iterator in value) return [...(value as Iterable<unknown>)]
  return Object.keys(value).length > 0 ? value : String(value)
}

/** Some protocols carry arguments as JSON text; that is the same call as the object it stands for. */
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
