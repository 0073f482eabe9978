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
  [Date.prototype, ['Date', Date.prototype.getTime]],
  [Map.prototype, ['Map', pairsOf]],
  [Set.prototype, ['Set', membersOf]],
  [RegExp.prototype, ['RegExp', patternOf]],
  [Number.prototype, ['Number', Number.prototype.valueOf]],
  [String.prototype, ['String', String.prototype.valueOf]],
  [Boolean.prototype, ['Boolean', Boolean.prototype.valueOf]],
  [BigInt.prototype, ['BigInt', BigInt.prototype.valueOf]],
  [Symbol.prototype, ['Symbol', Symbol.prototype.valueOf]],
  [TYPED, ['bytes', bytesOf]],
  [DataView.prototype, ['bytes', bytesOf]],
  [ArrayBuffer.prototype, ['bytes', bytesOf]],
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

const eachOfMap = Map.prototype.forEach
const eachOfSet = Set.prototype.forEach

function pairsOf(this: Map<unknown, unknown>): unknown {
  const pairs: unknown[] = []
  Reflect.apply(eachOfMap, this, [(value: unknown, key: unknown) => pairs.push([key, value])])
  return pairs
}

function membersOf(this: Set<unknown>): unknown {
  const members: unknown[] = []
  Reflect.apply(eachOfSet, this, [(value: unknown) => members.push(value)])
  return members
}

const sourceOf = getter(RegExp.prototype, 'source')
const flags = ['global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'sticky'].map(
  (name) => [name, getter(RegExp.prototype, name)] as const,
)

function patternOf(this: RegExp): unknown {
  const set = flags.filter(([, isSet]) => Reflect.apply(isSet, this, []) === true)
  return [Reflect.apply(sourceOf, this, []), ...set.map(([name]) => name)]
}

const typedName = getter(TYPED, Symbol.toStringTag)
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength')
const placeOf = (prototype: object) =>
  ['buffer', 'byteOffset', 'byteLength'].map((name) => getter(prototype, name))
const typedPlace = placeOf(TYPED)
const viewPlace = placeOf(DataView.prototype)

/** Bytes as their type, length and hash, because there may be millions. */
function bytesOf(this: object): unknown {
  const name = Reflect.apply(typedName, this, [])
  const isView = ArrayBuffer.isView(this)
  if (!isView) Reflect.apply(bufferLength, this, [])
  const [buffer, offset, length] = (name === undefined ? viewPlace : typedPlace).map((read) =>
    isView ? Reflect.apply(read, this, []) : undefined,
  )
  const bytes = isView
    ? new Uint8Array(buffer as ArrayBuffer, offset as number, length as number)
    : new Uint8Array(this as ArrayBuffer)
  const hash = startHash(FIXED_SEED)
  for (let i = 0; i < bytes.length; i += 4) {
    const byte = (place: number) => bytes[place] ?? 0
    addWord(hash, byte(i) | (byte(i + 1) << 8) | (byte(i + 2) << 16) | (byte(i + 3) << 24))
  }
  const { a, b } = endHash(hash)
  return `${name ?? (isView ? 'DataView' : 'ArrayBuffer')} ${bytes.length} ${a >>> 0} ${b >>> 0}`
}
