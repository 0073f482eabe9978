import { addWord, endHash, FIXED_SEED, startHash } from '../reading/hash.js'
import { isProxy } from './is-proxy.js'

/** The content of an object of a built-in type, read by the language's own code, whatever the object claims to be. */
export function readBuiltIn(value: object): { type: string; held: unknown } | undefined {
  for (const [type, read] of candidates(value)) {
    // a built-in method throws for an object of another type, which is how the types are recognized
    try {
      return { type, held: Reflect.apply(read, value, []) }
    } catch {}
  }
}

type BuiltIn = readonly [type: string, read: (this: never) => unknown]

const TYPED = Object.getPrototypeOf(Uint8Array.prototype) as object

const READERS = new Map<object, BuiltIn>([
  ...[Date, Number, String, Boolean, BigInt, Symbol].map(
    ({ name, prototype }): [object, BuiltIn] => [prototype, [name, prototype.valueOf]],
  ),
  [Map.prototype, ['Map', membersBy(Map.prototype.forEach)]],
  [Set.prototype, ['Set', membersBy(Set.prototype.forEach)]],
  [RegExp.prototype, ['RegExp', patternOf]],
  ...[TYPED, DataView.prototype, ArrayBuffer.prototype].map((prototype): [object, BuiltIn] => [
    prototype,
    ['bytes', bytesOf],
  ]),
])
if (typeof URL === 'function') READERS.set(URL.prototype, ['URL', getter(URL.prototype, 'href')])

const everyReader = [...READERS.values()]
const NONE: BuiltIn[] = []

/** Which types an object may have, by its prototypes; all of them if it comes from another realm. */
function candidates(value: object): readonly BuiltIn[] {
  let prototype: object | null = Object.getPrototypeOf(value)
  for (let depth = 0; prototype !== null && depth < MAX_DEPTH; depth++) {
    if (isProxy(prototype)) return NONE
    const reader = READERS.get(prototype)
    if (reader) return [reader]
    if (prototype === Object.prototype) return NONE
    prototype = Object.getPrototypeOf(prototype)
  }
  return everyReader
}

// no real class hierarchy is this deep
const MAX_DEPTH = 64

function getter(prototype: object, name: string | symbol): (this: never) => unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get ?? (() => undefined)
}

/** The members of a map or a set, which are pairs in both. */
function membersBy(forEach: (this: never, each: () => void) => void) {
  return function (this: object): unknown {
    const members: unknown[] = []
    const add = (value: unknown, key: unknown) => members.push([key, value])
    Reflect.apply(forEach, this, [add])
    return members
  }
}

function patternOf(this: RegExp): unknown {
  return 'source global ignoreCase multiline dotAll unicode sticky'
    .split(' ')
    .map((name) => Reflect.apply(getter(RegExp.prototype, name), this, []))
}

/** Bytes as their type, length and hash, because there may be millions. */
function bytesOf(this: object): unknown {
  const isView = ArrayBuffer.isView(this)
  const type = Reflect.apply(getter(TYPED, Symbol.toStringTag), this, [])
  const prototype = type === undefined ? DataView.prototype : TYPED
  const read = (name: string, from: object): never =>
    Reflect.apply(getter(from, name), this, []) as never
  const bytes = isView
    ? new Uint8Array(
        read('buffer', prototype),
        read('byteOffset', prototype),
        read('byteLength', prototype),
      )
    : new Uint8Array(this as ArrayBuffer, 0, read('byteLength', ArrayBuffer.prototype))
  const words = new Int32Array((bytes.length + 3) >> 2)
  new Uint8Array(words.buffer).set(bytes)
  const hash = startHash(FIXED_SEED)
  for (const word of words) addWord(hash, word)
  const { a, b } = endHash(hash)
  return `${type ?? (isView ? 'DataView' : 'ArrayBuffer')} ${bytes.length} ${a >>> 0} ${b >>> 0}`
}
