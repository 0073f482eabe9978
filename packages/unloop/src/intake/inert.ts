import { readBuiltIn } from './built-in.js'
import { isProxy } from './is-proxy.js'

/**
 * A value from outside as plain data: lists, records and primitives, which can be read without running the value's own
 * code. Plain data is returned as it is, everything else as a copy with at most `most` members. Getters, `toJSON`,
 * `toString`, iterators and the traps of proxies are never called. Never throws.
 */
export function toInert(value: unknown, most = MAX_MEMBERS): unknown {
  if (isPrimitive(value)) return value
  try {
    if (typeof value === 'object' && isInert(value as object, Math.min(most, MANY))) return value
    return copyOf(value, most)
  } catch {
    return unreadable(value as object)
  }
}

// far more than any model writes; a larger value equals no other
const MAX_MEMBERS = 200_000

const isPrimitive = (value: unknown) =>
  (typeof value !== 'object' && typeof value !== 'function') || value === null

// a value with more members is copied, which finds cycles and shared parts that would unfold forever
const MANY = 100_000

const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, keys, hasOwn } = Object
const LIST = Array.prototype
const RECORD = Object.prototype

/** Whether a value consists only of data properties of lists and records. */
function isInert(root: object, most: number): boolean {
  const open = [root]
  let left = most
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isProxy(value)) return false
    const prototype = getPrototypeOf(value)
    const isList = Array.isArray(value)
    // checked before its names, because there may be millions of bytes
    if (isList ? prototype !== LIST : prototype !== RECORD && prototype !== null) return false
    // including hidden ones, which can be read by name
    const names = getOwnPropertyNames(value)
    // `length` is one of the names
    if (isList && names.length !== (value as unknown[]).length + 1) return false
    left -= names.length + 1
    if (left < 0) return false
    for (let i = 0; i < names.length; i++) {
      const member = getOwnPropertyDescriptor(value, names[i] as string)
      if (member === undefined || !hasOwn(member, 'value')) return false
      const inner: unknown = member.value
      if (typeof inner === 'object' && inner !== null) open.push(inner)
      else if (typeof inner === 'function') return false
    }
  }
  return true
}

/** An object that is being copied: the names of its members, and which one is next. */
interface Copying {
  source: object
  names: readonly string[]
  next: number
  target: Record<string, unknown> | unknown[]
}

/** A copy as plain data, depth first. An object that appears a second time becomes its number, so cycles end. */
function copyOf(root: unknown, most: number): unknown {
  const numbers = new Map<object, number>()
  const open: Copying[] = []
  let left = most
  const copy = enter(root)
  for (let current = open.at(-1); current; current = open.at(-1)) {
    if (left <= 0) return most < MAX_MEMBERS ? copy : [copy, unreadable(root as object)]
    const name = current.names[current.next++]
    if (name === undefined) open.pop()
    else {
      left--
      put(current.target, name, enter(memberOf(current.source, name)))
    }
  }
  return copy

  function enter(value: unknown): unknown {
    if (isPrimitive(value)) return value
    const object = value as object
    const number = numbers.get(object)
    if (number !== undefined) return { again: number }
    numbers.set(object, numbers.size)
    if (isProxy(object)) return unreadable(object)
    if (typeof object === 'function') return toText(object)
    if (Array.isArray(object)) return list(object)
    const builtIn = readBuiltIn(object)
    return builtIn ? tagged(builtIn.type, builtIn.held) : record(object)
  }

  function tagged(type: string, held: unknown): unknown {
    const target: Record<string, unknown> = { '(type)': type }
    open.push({ source: { value: held }, names: ['value'], next: 0, target })
    return target
  }

  function list(source: unknown[]): unknown {
    const names = keys(source)
    // a list with holes can have any length
    const isWhole = names.length === source.length && getPrototypeOf(source) === LIST
    const target = isWhole ? [] : { '(type)': 'list', length: source.length }
    open.push({ source, names, next: 0, target: target as unknown[] })
    return target
  }

  function record(source: object): unknown {
    const type = typeOf(source)
    const target: Record<string, unknown> = type === undefined ? {} : { '(type)': type }
    const names = keys(source)
    // the message is all an error has, and it is hidden
    if (type !== undefined && !names.includes('message') && hasOwn(source, 'message')) {
      names.push('message')
    }
    // everything in it is private
    if (type !== undefined && names.length === 0) return unreadable(source)
    open.push({ source, names, next: 0, target })
    return target
  }
}

function memberOf(source: object, name: string): unknown {
  const member = getOwnPropertyDescriptor(source, name)
  if (member === undefined) return
  return hasOwn(member, 'value') ? member.value : unreadable(source)
}

/** Not an assignment: one to `__proto__` would change the prototype. */
const put = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })

/** The name of an object's class; `undefined` for records. */
function typeOf(source: object): string | undefined {
  const prototype = getPrototypeOf(source)
  if (prototype === RECORD || prototype === null) return
  if (isProxy(prototype)) return 'unknown'
  const maker = getOwnPropertyDescriptor(prototype, 'constructor')?.value
  if (typeof maker !== 'function' || isProxy(maker)) return 'unknown'
  const name = getOwnPropertyDescriptor(maker, 'name')?.value
  return typeof name === 'string' ? name : 'unknown'
}

const toText = Function.prototype.call.bind(Function.prototype.toString) as (
  value: object,
) => string

const known = new WeakMap<object, number>()
let count = 0

/** An unreadable object equals itself and nothing else. */
function unreadable(value: object): { unreadable: number } {
  const number = known.get(value) ?? ++count
  known.set(value, number)
  return { unreadable: number }
}
