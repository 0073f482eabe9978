import {
  addHash,
  addString,
  addUnordered,
  addWord,
  FIXED_SEED,
  type Hash,
  hashText,
  startHash,
} from './hash.js'

/**
 * When two calls are the same call: equal keys mean the same tool with the same arguments, whatever
 * the order of keys and whether they came as an object or as JSON text. Never throws.
 *
 * @example callKey('grep', { in: '.', query: 'x' }) === callKey('grep', { query: 'x', in: '.' })
 */
export function callKey(name: string, args?: unknown, seed: Hash = FIXED_SEED): string {
  const hash = startHash(seed)
  addString(hash, name)
  const walk: Walk = { seed, path: [], nodes: 0, size: 0 }
  addValue(hash, fromJsonText(args), walk)
  return `${walk.size.toString(36)}.${hashText(hash)}`
}

/** What a walk over arguments carries along: the objects above, and how many things it has seen. */
interface Walk {
  seed: Hash
  path: object[]
  nodes: number
  size: number
}

// one tag a type, so that null, 0, '' and false differ
const TAG = {
  undefined: 1,
  null: 2,
  true: 3,
  false: 4,
  number: 5,
  bigint: 6,
  string: 7,
  symbol: 8,
  function: 9,
  array: 10,
  object: 11,
  date: 12,
  map: 13,
  set: 14,
  bytes: 15,
  instance: 16,
  cycle: 17,
  unreadable: 18,
  close: 19,
  regexp: 20,
}

// deeper than any real tool's arguments, shallow enough for every stack
const MAX_RECURSION = 400

// objects that share parts can unfold without end; no arguments that came as JSON are as large
const MAX_NODES = 1_000_000

const float = new Float64Array(1)
const floatWords = new Int32Array(float.buffer)

function addValue(hash: Hash, value: unknown, walk: Walk): void {
  walk.size++
  switch (typeof value) {
    case 'string':
      walk.size += value.length
      addWord(hash, TAG.string)
      return addString(hash, value)
    case 'number':
      float[0] = value === 0 ? 0 : value
      addWord(hash, TAG.number)
      addWord(hash, floatWords[0] as number)
      return addWord(hash, floatWords[1] as number)
    case 'boolean':
      return addWord(hash, value ? TAG.true : TAG.false)
    case 'undefined':
      return addWord(hash, TAG.undefined)
    case 'bigint':
      addWord(hash, TAG.bigint)
      return addString(hash, value.toString(36))
    case 'symbol':
      addWord(hash, TAG.symbol)
      return addString(hash, String(value))
    case 'function':
      addWord(hash, TAG.function)
      return addString(hash, Function.prototype.toString.call(value))
    default:
      if (value === null) return addWord(hash, TAG.null)
      return addObject(hash, value as object, walk)
  }
}

function addObject(hash: Hash, value: object, walk: Walk): void {
  if (++walk.nodes > MAX_NODES) return addWord(hash, TAG.unreadable)
  const above = walk.path.lastIndexOf(value)
  if (above >= 0) {
    addWord(hash, TAG.cycle)
    return addWord(hash, walk.path.length - above)
  }
  if (walk.path.length >= MAX_RECURSION) return addDeep(hash, value, walk)
  walk.path.push(value)
  try {
    addChildren(hash, value, walk)
  } catch {
    addWord(hash, TAG.unreadable)
  }
  walk.path.pop()
}

function addChildren(hash: Hash, value: object, walk: Walk): void {
  if (Array.isArray(value)) {
    addWord(hash, TAG.array)
    for (let i = 0; i < value.length; i++) addValue(hash, value[i], walk)
    return addWord(hash, value.length)
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) {
    addWord(hash, TAG.object)
    return addEntries(hash, value, walk)
  }
  if (value instanceof Date) {
    addWord(hash, TAG.date)
    return addString(hash, String(value.getTime()))
  }
  if (value instanceof RegExp) {
    addWord(hash, TAG.regexp)
    return addString(hash, String(value))
  }
  if (value instanceof Map) {
    addWord(hash, TAG.map)
    return addAll(hash, value, walk)
  }
  if (value instanceof Set) {
    addWord(hash, TAG.set)
    return addAll(hash, value, walk)
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return addBytes(hash, value, walk)
  addInstance(hash, value, walk)
}

/** The entries of an object in any order. */
function addEntries(hash: Hash, value: object, walk: Walk): void {
  const keys = Object.keys(value)
  const sum: Hash = { a: 0, b: 0, c: 0, d: 0 }
  const { seed } = walk
  const entry: Hash = { a: 0, b: 0, c: 0, d: 0 }
  for (const key of keys) {
    entry.a = seed.a
    entry.b = seed.b
    entry.c = seed.c
    entry.d = seed.d
    addString(entry, key)
    walk.size += key.length
    addValue(entry, readProperty(value, key), walk)
    addUnordered(sum, entry)
  }
  addHash(hash, sum)
  addWord(hash, keys.length)
}

/** The members of a map or a set in any order. */
function addAll(hash: Hash, members: Iterable<unknown>, walk: Walk): void {
  const sum: Hash = { a: 0, b: 0, c: 0, d: 0 }
  let count = 0
  for (const member of members) {
    const entry = startHash(walk.seed)
    addValue(entry, member, walk)
    addUnordered(sum, entry)
    count++
  }
  addHash(hash, sum)
  addWord(hash, count)
}

function addBytes(hash: Hash, value: ArrayBufferView | ArrayBuffer, walk: Walk): void {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value)
  addWord(hash, TAG.bytes)
  addString(hash, value.constructor.name)
  for (const byte of bytes) addWord(hash, byte)
  addWord(hash, bytes.length)
  walk.size += bytes.length
}

/** An object of a class: its class, what it says it is as JSON or as text, and its own fields. */
function addInstance(hash: Hash, value: object, walk: Walk): void {
  addWord(hash, TAG.instance)
  addString(hash, String(value.constructor?.name))
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return addValue(hash, toJSON.call(value), walk)
  if (Object.keys(value).length > 0) return addEntries(hash, value, walk)
  addString(hash, String(value))
}

function readProperty(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch {
    return unreadable
  }
}

const unreadable = Symbol('unreadable')

/** What lies below the depth of the stack: the same idea with a list of work and sorted keys. */
function addDeep(hash: Hash, root: object, walk: Walk): void {
  const above = new Set<unknown>(walk.path)
  const close = Symbol('close')
  const work: unknown[] = [root]
  const open: unknown[] = []
  while (work.length > 0) {
    const value = work.pop()
    if (value === close) {
      above.delete(open.pop())
      addWord(hash, TAG.close)
    } else if (typeof value !== 'object' || value === null) {
      addValue(hash, value, walk)
    } else if (above.has(value)) {
      addWord(hash, TAG.cycle)
    } else if (++walk.nodes <= MAX_NODES) {
      walk.size++
      above.add(value)
      open.push(value)
      work.push(close)
      if (Array.isArray(value)) {
        addWord(hash, TAG.array)
        for (let i = value.length - 1; i >= 0; i--) work.push(value[i])
      } else {
        addWord(hash, TAG.object)
        for (const key of Object.keys(value).sort()) work.push(readProperty(value, key), key)
      }
    }
  }
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
