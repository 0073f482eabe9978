import { addString, addWord, FIXED_SEED, type Hash } from './hash.js'

/**
 * When two calls are the same call: equal keys mean the same tool with the same arguments, whatever
 * the order of keys and whether they came as an object or as JSON text. Never throws.
 *
 * @example callKey('grep', { in: '.', query: 'x' }) === callKey('grep', { query: 'x', in: '.' })
 */
export function callKey(name: string, args?: unknown, seed: Hash = FIXED_SEED): string {
  const hash = { ...seed }
  addString(hash, name)
  // level by level, so that no depth is too much for the stack
  const found: object[] = []
  addValue(hash, fromJsonText(args), found)
  for (let i = 0; i < found.length; i++) {
    try {
      addMembers(hash, found[i] as object, found)
    } catch {
      addWord(hash, TYPES.length)
    }
  }
  return `${hash.a}.${hash.b}`
}

// a word for each, so that null, 0, '' and false differ
const TYPES = 'undefined null boolean number string bigint symbol function object list'.split(' ')

// circles and objects that share parts unfold without end; no arguments that came as JSON are as large
const MAX_OBJECTS = 200_000

const float = new Float64Array(1)
const floatWords = new Int32Array(float.buffer)

function addValue(hash: Hash, value: unknown, found: object[]): void {
  if (typeof value === 'string') {
    addWord(hash, 4)
    return addString(hash, value)
  }
  if (typeof value === 'object' && value !== null) {
    addWord(hash, 8)
    if (found.length < MAX_OBJECTS) found.push(value)
    return
  }
  addWord(hash, value === null ? 1 : TYPES.indexOf(typeof value))
  if (typeof value === 'number') {
    float[0] = value === 0 ? 0 : value
    addWord(hash, floatWords[0] as number)
    addWord(hash, floatWords[1] as number)
  } else addString(hash, String(value))
}

function addMembers(hash: Hash, value: object, found: object[]): void {
  if (Array.isArray(value)) {
    addWord(hash, value.length)
    for (let i = 0; i < value.length; i++) addValue(hash, value[i], found)
    return
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    addString(hash, String(value.constructor?.name))
    const shown = toPlain(value)
    if (shown !== value) return addValue(hash, shown, found)
  }
  const keys = Object.keys(value).sort()
  addWord(hash, ~keys.length)
  for (const key of keys) {
    addString(hash, key)
    addValue(hash, (value as Record<string, unknown>)[key], found)
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
