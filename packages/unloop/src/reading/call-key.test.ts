import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callKey, keyOf } from './call-key.js'
import { randomSeed } from './hash.js'

const key = (args: unknown) => callKey('tool', args)

describe('callKey', () => {
  it('does not mind the order of keys, at any depth', () => {
    expect(key({ a: { x: 1, y: [1, { p: 1, q: 2 }] }, b: 2 })).toBe(
      key({ b: 2, a: { y: [1, { q: 2, p: 1 }], x: 1 } }),
    )
  })

  it('takes 1 and 1.0, 0 and -0, and JSON text for what it stands for', () => {
    expect(key(JSON.parse('{"a": 1.0}'))).toBe(key({ a: 1 }))
    expect(key({ a: -0 })).toBe(key({ a: 0 }))
    expect(key('{"a": 1}')).toBe(key({ a: 1 }))
  })

  it('minds the name, the order of lists and every value', () => {
    const different: unknown[] = [
      undefined,
      null,
      {},
      [],
      '',
      0,
      1,
      1n,
      '1',
      true,
      false,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      [undefined],
      [null],
      [[]],
      [[], []],
      [1, 2],
      [2, 1],
      { a: 1 },
      { a: '1' },
      { a: undefined },
      { a: null },
      { a: {} },
      { a: { b: 1 } },
      { 'a.b': 1 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      JSON.parse('{"__proto__": 1}'),
      JSON.parse('{"__proto__": 2}'),
      { constructor: 1 },
      new Date(0),
      new Date(1),
      new Date(Number.NaN),
      new Map([['a', 1]]),
      new Map([['a', 2]]),
      new Set(['a']),
      new Set(['a', 1]),
      new Uint8Array([1, 2]),
      new Uint8Array([1, 2, 0]),
      new Uint16Array([1, 2]),
      /a/g,
      /a/i,
      new URL('http://localhost/a'),
      new URL('http://localhost/b'),
      Symbol('a'),
      Symbol('b'),
      () => 1,
      () => 2,
      new Error('a'),
      '\ud800',
      '\udfff',
      'a\u0000',
      'a',
      '{"a": 1',
    ]
    const keys = different.map(key)
    expect(new Set(keys).size).toBe(different.length)
    expect(callKey('a', { b: 1 })).not.toBe(callKey('b', { b: 1 }))
  })

  it('knows a circle, and how far back it leads', () => {
    const circle = (depth: number) => {
      const root: Record<string, unknown> = { a: {} }
      const inner = root.a as Record<string, unknown>
      inner.back = depth === 1 ? inner : root
      return root
    }
    expect(key(circle(2))).toBe(key(circle(2)))
    expect(key(circle(2))).not.toBe(key(circle(1)))
  })

  it('distinguishes deep arguments down to the bottom', () => {
    const nest = (depth: number, bottom: unknown) => {
      let value = bottom
      for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { inner: value }
      return value
    }
    for (const depth of [300, 1000, 100_000]) {
      expect(key(nest(depth, 'a'))).toBe(key(nest(depth, 'a')))
      expect(key(nest(depth, 'a'))).not.toBe(key(nest(depth, 'b')))
      expect(key(nest(depth, 'a'))).not.toBe(key(nest(depth + 2, 'a')))
    }
  })

  it('comes to an end when shared parts would unfold without one', () => {
    let value: unknown = 'x'
    for (let i = 0; i < 60; i++) value = [value, value]
    expect(key(value)).toBe(key(value))
  })

  it('survives what cannot be read', () => {
    const hostile = {
      get trap() {
        throw new Error('no')
      },
    }
    const proxy = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('no')
        },
      },
    )
    expect(key(hostile)).toBe(key(hostile))
    expect(key(proxy)).toBe(key(proxy))
    expect(key({ toJSON: 1 })).not.toBe(key({ toJSON: 2 }))
  })

  it('depends on the seed, so that nobody can craft a pair that collides', () => {
    expect(keyOf('a', { b: 1 }, randomSeed())).not.toBe(keyOf('a', { b: 1 }, randomSeed()))
  })

  it('is equal exactly when the JSON with sorted keys is', () => {
    // inside an object: only whole arguments may come as JSON text
    const value = fc.jsonValue({ maxDepth: 4 }).map((inner) => ({ inner }))
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(key(one) === key(other)).toBe(canonical(one) === canonical(other))
        expect(key(shuffle(one))).toBe(key(one))
      }),
    )
  })

  it('distinguishes strings that differ only in two neighboring characters', () => {
    // differences that cancel out in a hash of one lane
    const pairs = fc.tuple(
      fc.string({ unit: 'binary', minLength: 4 }),
      fc.nat(),
      fc.nat(65535),
      fc.nat(65535),
    )
    fc.assert(
      fc.property(pairs, ([text, at, one, two]) => {
        const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
        const place = at % (units.length - 1)
        units[place] = (units[place] as number) ^ one
        units[place + 1] = (units[place + 1] as number) ^ two
        const changed = String.fromCharCode(...units)
        expect(key({ text: changed }) === key({ text })).toBe(changed === text)
      }),
    )
  })
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !('sorted' in inner)
      ? { sorted: Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)) }
      : inner,
  )

const shuffle = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffle)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, shuffle(inner)]),
  )
}

describe('keys that somebody tries to make collide', () => {
  const seeds = Array.from({ length: 64 }, randomSeed)
  const collisions = (one: string, other: string) =>
    seeds.filter((seed) => keyOf('t', { text: one }, seed) === keyOf('t', { text: other }, seed))
      .length

  it('do not, whichever bits of whichever two characters are flipped', () => {
    const flip = (units: number[], at: number, bit: number) => {
      units[at] = (units[at] as number) ^ (1 << bit)
    }
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 70 }),
        fc.nat(15),
        fc.nat(15),
        (first, distance, bit, otherBit) => {
          const units = Array.from({ length: 140 }, (_, i) => 97 + (i % 26))
          const plain = String.fromCharCode(...units)
          flip(units, first, bit)
          flip(units, first + distance, otherBit)
          expect(collisions(plain, String.fromCharCode(...units))).toBe(0)
        },
      ),
      { numRuns: 400 },
    )
    // the pair that half of all seeds once took for one
    const units = Array.from({ length: 40 }, () => 97)
    const plain = String.fromCharCode(...units)
    flip(units, 3, 8)
    flip(units, 35, 8)
    expect(collisions(plain, String.fromCharCode(...units))).toBe(0)
  })

  it('do not, when members change places or numbers change in two bits', () => {
    const float = new Float64Array(1)
    const bits = new BigUint64Array(float.buffer)
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.nat(63), fc.nat(63), (number, one, other) => {
        float[0] = number
        bits[0] = (bits[0] as bigint) ^ (1n << BigInt(one)) ^ (1n << BigInt(other))
        const changed = float[0] as number
        const isSame = Object.is(changed, number) || (changed === 0 && number === 0)
        const isNumber = !Number.isNaN(changed)
        for (const seed of seeds.slice(0, 8)) {
          const equal = keyOf('t', { a: number }, seed) === keyOf('t', { a: changed }, seed)
          expect(equal).toBe(isSame && isNumber)
        }
      }),
    )
    for (const seed of seeds) {
      expect(keyOf('t', { a: 1, b: 2 }, seed)).not.toBe(keyOf('t', { a: 2, b: 1 }, seed))
      expect(keyOf('t', [[1], [2]], seed)).not.toBe(keyOf('t', [[2], [1]], seed))
    }
  })
})
