import vm from 'node:vm'

/** Counts how often code of an exotic value was run. */
export interface Alarm {
  touched: number
}

/** A value that JSON does not know, made anew each time. */
export type Exotic = (alarm: Alarm) => unknown

const SYMBOLS = [Symbol.toPrimitive, Symbol.iterator, Symbol.toStringTag, Symbol.asyncIterator]

/** Runs when it should not. */
const trip = (alarm: Alarm, what: 'throws' | 'answers') => () => {
  alarm.touched++
  if (what === 'throws') throw new Error('touched')
  return 'answer'
}

const METHODS = ['toString', 'toJSON', 'valueOf', 'then', 'next', 'inspect', 'message', 'length']

const TRAPS: (keyof ProxyHandler<object>)[] = [
  'get',
  'has',
  'ownKeys',
  'getOwnPropertyDescriptor',
  'getPrototypeOf',
  'isExtensible',
  'apply',
  'construct',
]

const allTraps = (alarm: Alarm) =>
  Object.fromEntries(TRAPS.map((trap) => [trap, trip(alarm, 'throws')]))

/** Values that are exotic by themselves, by name. */
export const leaves: Record<string, Exotic> = {
  ...Object.fromEntries(
    METHODS.flatMap((name) => [
      [`${name} as a number`, () => ({ [name]: 0 })],
      [`${name} as null`, () => ({ [name]: null })],
      [`${name} that throws`, (alarm: Alarm) => ({ [name]: trip(alarm, 'throws') })],
      [`${name} that answers`, (alarm: Alarm) => ({ [name]: trip(alarm, 'answers') })],
      [
        `getter of ${name}`,
        (alarm: Alarm) =>
          Object.defineProperty({}, name, { get: trip(alarm, 'throws'), enumerable: true }),
      ],
      [
        `inherited getter of ${name}`,
        (alarm: Alarm) =>
          Object.create(Object.defineProperty({}, name, { get: trip(alarm, 'throws') })),
      ],
    ]),
  ),
  ...Object.fromEntries(
    SYMBOLS.map((symbol) => [
      symbol.toString(),
      (alarm: Alarm) => ({ [symbol]: trip(alarm, 'throws'), a: 1 }),
    ]),
  ),
  ...Object.fromEntries(
    TRAPS.map((trap) => [
      `proxy with a trap for ${trap}`,
      (alarm: Alarm) => new Proxy({ a: 1 }, { [trap]: trip(alarm, 'throws') }),
    ]),
  ),
  'proxy of all traps': (alarm) => new Proxy({}, allTraps(alarm)),
  'proxy of a list': (alarm) => new Proxy([1, 2], allTraps(alarm)),
  'proxy of a function': (alarm) => new Proxy(() => 1, allTraps(alarm)),
  'revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'proxy as prototype': (alarm) => Object.create(new Proxy({}, allTraps(alarm))),
  'endless iterator': () => ({
    *[Symbol.iterator]() {
      for (;;) yield 1
    },
  }),
  'endless generator': () =>
    (function* () {
      for (;;) yield 1
    })(),
  'list with its own iterator': (alarm) =>
    Object.assign([1], { [Symbol.iterator]: trip(alarm, 'throws') }),
  'list with a getter': (alarm) =>
    Object.defineProperty([1, 2], 0, { get: trip(alarm, 'throws'), enumerable: true }),
  'list without a prototype': () => Object.setPrototypeOf([1, 2], null),
  'list of a class': () => new (class Rows extends Array {})(3),
  'list with a hole': () => Object.assign([1], { 2: 3 }),
  'list of four billion': () => {
    const list: number[] = []
    list[4_294_967_294] = 1
    return list
  },
  'no prototype': () => Object.assign(Object.create(null), { a: 1 }),
  'own __proto__': () => JSON.parse('{"__proto__":{"a":1}}'),
  'own constructor': () => ({ constructor: 0, hasOwnProperty: 0 }),
  'own constructor with a getter': (alarm) =>
    Object.create({}, { constructor: { get: trip(alarm, 'throws'), enumerable: true } }),
  'class with fields': () =>
    new (class Point {
      x = 1
      #hidden = 2
      get y() {
        return this.#hidden
      }
    })(),
  'date that is none': () => new Date(Number.NaN),
  'date with its own methods': (alarm) =>
    Object.assign(new Date(0), { getTime: trip(alarm, 'throws'), toJSON: trip(alarm, 'throws') }),
  map: () => new Map<unknown, unknown>([[{ a: 1 }, new Map()]]),
  'map in itself': () => {
    const map = new Map()
    return map.set('self', map)
  },
  'map with its own iterator': (alarm) =>
    Object.assign(new Map([[1, 2]]), { [Symbol.iterator]: trip(alarm, 'throws') }),
  set: () => new Set([1, new Set()]),
  'weak map': () => new WeakMap(),
  promise: () => Promise.resolve(1),
  'regular expression': (alarm) =>
    Object.defineProperty(/a/g, 'source', { get: trip(alarm, 'throws') }),
  error: () => new RangeError('no'),
  'error with a getter': (alarm) =>
    Object.defineProperty(new Error(), 'message', { get: trip(alarm, 'throws') }),
  bytes: () => new Uint8Array(1000),
  'four million bytes': () => Buffer.alloc(4_000_000),
  floats: () => new Float64Array([Number.NaN, -0]),
  view: () => new DataView(new ArrayBuffer(8), 2),
  buffer: () => new ArrayBuffer(8),
  'shared buffer': () => new SharedArrayBuffer(8),
  'detached buffer': () => {
    const bytes = new Uint8Array(8)
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    return bytes
  },
  'number as an object': () => Object(1),
  'string as an object': () => Object('text'),
  'symbol as an object': () => Object(Symbol('s')),
  symbol: () => Symbol('s'),
  bigint: () => 10n ** 400n,
  function: () => () => 1,
  'function with its own toString': (alarm) =>
    Object.assign(() => 1, { toString: trip(alarm, 'throws') }),
  class: () => class Secret {},
  circle: () => {
    const circle: Record<string, unknown> = {}
    for (let i = 0; i < 400; i++) circle[`key${i}`] = circle
    return circle
  },
  'list in itself': () => {
    const list: unknown[] = []
    list.push(list, list)
    return list
  },
  'shared parts': () => {
    let value: unknown = 'x'
    for (let i = 0; i < 60; i++) value = [value, value]
    return value
  },
  'depth of 20,000': () => {
    let value: unknown = 'bottom'
    for (let i = 0; i < 20_000; i++) value = i % 2 ? [value] : { inner: value }
    return value
  },
  '20,000 keys': () => Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i])),
  'a long name': () => ({ [`${'k'.repeat(100_000)}`]: 1 }),
  'a long text': () => 'x'.repeat(300_000),
  'half a character': () => '\ud800',
  'text of JSON that is none': () => '{"a":',
  'text of deep JSON': () => `${'['.repeat(5000)}${']'.repeat(5000)}`,
  'not a number': () => Number.NaN,
  infinity: () => Number.NEGATIVE_INFINITY,
  nothing: () => undefined,
  null: () => null,
  'another realm': () => vm.runInNewContext('({ a: [1], d: new Date(0), m: new Map([[1, 2]]) })'),
  'getter of another realm': () =>
    vm.runInNewContext('({ get a() { throw new Error("touched") } })'),
  'the global object': () => globalThis,
  arguments: () =>
    (function (..._given: unknown[]) {
      // biome-ignore lint/complexity/noArguments: it is the object that is meant
      return arguments
    })(1, 2),
}

const WRAPPERS: Record<string, (value: unknown) => unknown> = {
  '': (value) => value,
  ' in a list': (value) => [value],
  ' in a record': (value) => ({ a: value }),
}

/** All of them, bare and wrapped: by name. */
export const exotics: [name: string, make: Exotic][] = Object.entries(leaves).flatMap(
  ([name, make]) =>
    Object.entries(WRAPPERS).map(([where, wrap]): [string, Exotic] => [
      name + where,
      (alarm) => wrap(make(alarm)),
    ]),
)

/** Where an exotic value can stand in a call or its answer. */
export const places: Record<string, (value: unknown) => object> = {
  args: (args) => ({ type: 'tool-call', name: 'bash', args }),
  ...Object.fromEntries(
    [
      'command',
      'commands',
      'cmd',
      'script',
      'input',
      'bash',
      'code',
      'path',
      'action',
      'reason',
    ].map((name) => [
      `args.${name}`,
      (value: unknown) => ({ type: 'tool-call', name: 'bash', args: { [name]: value } }),
    ]),
  ),
  name: (name) => ({ type: 'tool-call', name, args: {} }),
  id: (id) => ({ type: 'tool-call', name: 'bash', id, args: {} }),
  agent: (agent) => ({ type: 'tool-call', name: 'bash', agent, args: {} }),
  at: (at) => ({ type: 'tool-call', name: 'bash', at, args: {} }),
  output: (output) => ({ type: 'tool-result', output }),
  'output.content': (content) => ({ type: 'tool-result', output: { content } }),
  isError: (isError) => ({ type: 'tool-result', output: 'x', isError }),
  text: (text) => ({ type: 'text', text }),
  reasoning: (text) => ({ type: 'reasoning', text }),
  prompt: (text) => ({ type: 'prompt', text }),
  model: (model) => ({ type: 'prompt', model }),
  handoff: (to) => ({ type: 'handoff', to, text: to }),
  usage: (inputTokens) => ({ type: 'usage', inputTokens }),
  type: (type) => ({ type }),
  event: (event) => event as object,
}
