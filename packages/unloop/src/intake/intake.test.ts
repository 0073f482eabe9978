import { describe, expect, it } from 'vitest'
import { soak } from '../../test/arbitraries.js'
import { call, result, times } from '../../test/events.js'
import { type Alarm, exotics, leaves, places } from '../../test/exotic.js'
import type { AgentEvent } from '../event.js'
import { createGuard } from '../guard.js'
import { readEvent } from './intake.js'

const loop = times(8, [call('read_file', { path: 'a.ts' }), result('a')])

// each value in a few places, and in the soak in all of them
const EVERY = soak ? 1 : 4

describe.each(Object.entries(places))('an exotic value as %s', (place, put) => {
  it('runs no code, breaks nothing and hides no loop', () => {
    const shift = Object.keys(places).indexOf(place)
    for (const [name, make] of exotics.filter((_, at) => at % EVERY === shift % EVERY)) {
      const alarm: Alarm = { touched: 0 }
      const guard = createGuard({ onFault: ({ error }) => expect.fail(`${name}: ${error}`) })
      const event = put(make(alarm)) as AgentEvent
      for (const each of [event, event]) guard.observe(each)
      expect([name, alarm.touched]).toEqual([name, 0])
      expect([name, guard.disabled, guard.faults]).toEqual([name, false, []])
      const found = loop.map((each) => guard.observe(each)).find(Boolean)
      expect([name, found?.sample]).toEqual([name, 'read_file({"path":"a.ts"})'])
    }
  })
})

it('has at least 200 shapes for every place', () => {
  expect(exotics.length).toBeGreaterThanOrEqual(200)
})

it('finds the same call with the same exotic arguments, too', () => {
  for (const [name, make] of Object.entries(leaves)) {
    const args = { command: make({ touched: 0 }) }
    const guard = createGuard()
    const events = times(8, [call('read_it', args), result('nothing new')])
    expect([name, events.map((event) => guard.observe(event)).some(Boolean)]).toEqual([name, true])
  }
})

it('skips and counts unreadable events, and continues', () => {
  const guard = createGuard()
  const unreadable: unknown[] = [
    undefined,
    null,
    'text',
    7,
    [],
    {},
    { type: 'unheard of' },
    { type: 'text' },
    { type: 'text', text: 7 },
    { type: 'tool-call' },
    { type: 'tool-call', name: 7 },
    { type: 'handoff' },
    new Proxy({ type: 'turn-start' }, {}),
  ]
  for (const event of unreadable) expect(guard.observe(event as AgentEvent)).toBeUndefined()
  expect([guard.skipped, guard.events, guard.faults]).toEqual([unreadable.length, 13, []])
  expect(loop.map((event) => guard.observe(event)).some(Boolean)).toBe(true)
  expect(createGuard({}, guard.snapshot()).skipped).toBe(unreadable.length)
})

it.each([
  ['id', 7],
  ['id', null],
  ['id', {}],
  ['agent', null],
  ['agent', 7],
  ['agent', []],
  ['at', 'now'],
  ['at', Number.POSITIVE_INFINITY],
  ['isError', 'no'],
  ['text', []],
  ['model', 5],
])('does without what it cannot read of an event: %s %j', (field, value) => {
  const guard = createGuard()
  const events = [{ type: 'prompt' } as AgentEvent, ...loop]
  const found = events.map((event) => guard.observe({ ...event, [field]: value } as AgentEvent))
  const actions = found.map((finding) => finding?.action).filter(Boolean)
  expect(actions.slice(0, 3)).toEqual(['warn', 'block', 'stop'])
  expect(guard.skipped).toBe(0)
})

it('takes a prompt with an empty id for a new one', () => {
  const guard = createGuard()
  const events = times(6, [{ type: 'prompt', id: '' }, ...loop.slice(0, 2)])
  expect(events.map((event) => guard.observe(event)).filter(Boolean)).toEqual([])
})

it('runs no getter of an event or of a hidden member', () => {
  const trip = () => {
    throw new Error('touched')
  }
  const hidden = Object.defineProperty({ q: 'x' }, 'command', { get: trip })
  const list: unknown[] & { x?: number } = []
  Object.defineProperty(list, '0', { get: trip })
  list.x = 1
  const guard = createGuard()
  for (const event of [
    Object.defineProperty({ type: 'text', text: 'x' }, 'agent', { get: trip }),
    ...times(4, [call('bash', hidden), result('x'), call('bash', { list }), result('y')]),
  ]) {
    guard.observe(event as AgentEvent)
  }
  expect([guard.skipped, guard.faults]).toEqual([0, []])
})

it('takes objects that keep all they have to themselves for different ones', () => {
  const guard = createGuard()
  const posts = Array.from({ length: 12 }, (_, i) => [
    call('post', { body: new URLSearchParams(`q=${i}`) }),
    result('ok'),
  ]).flat()
  expect(posts.map((event) => guard.observe(event)).filter(Boolean)).toEqual([])
})

it('keeps long names short and apart', () => {
  const name = 'n'.repeat(1_000_000)
  const names = [`${name}a`, `${name}b`, name].map(
    (long) => (readEvent({ type: 'tool-call', name: long }) as { name: string }).name,
  )
  expect(new Set(names).size).toBe(3)
  for (const short of names) expect(short.length).toBeLessThan(256)
  const guard = createGuard()
  for (let i = 0; i < 40; i++) {
    const long = `${name}${i}`
    guard.observe({ type: 'tool-call', name: long, id: long, agent: long })
    guard.observe({ type: 'tool-result', name: long, id: long, agent: long, output: 'x' })
    guard.observe({ type: 'handoff', to: long, agent: long })
  }
  expect(JSON.stringify(guard.snapshot()).length).toBeLessThan(400_000)
})

it('lets a tool with a long name be allowed', () => {
  const name = 'n'.repeat(1000)
  const guard = createGuard()
  guard.allow(name)
  const events = times(12, [call(name, {}), result('a')])
  expect(events.map((event) => guard.observe(event)).some(Boolean)).toBe(false)
})
