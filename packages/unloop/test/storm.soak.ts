import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import type { AgentEvent } from '../src/event.js'
import { createGuard } from '../src/guard.js'
import { type Alarm, exotics, places } from './exotic.js'

const EVENTS = 2_000_000
const seed = Number(process.env.UNLOOP_SEED ?? Date.now() % 2 ** 31)

it('survives two million random events', () => {
  console.info(`storm: seed ${seed} (UNLOOP_SEED)`)
  v8.setFlagsFromString('--expose-gc')
  const collect: () => void = vm.runInNewContext('gc')
  const used = () => {
    // of the last request only, which may hold whatever was called last
    guard.observe({ type: 'prompt' })
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const alarm: Alarm = { touched: 0 }
  const next = randomFrom(seed)
  const strange = strangeEvents(alarm)
  const guard = createGuard()
  const run = (count: number) => {
    for (let i = 0; i < count; i++) guard.observe(randomEvent(next, strange))
  }
  run(100_000)
  const before = used()
  run(EVENTS - 100_000)
  expect(guard.events).toBe(EVENTS + 1)
  expect([guard.disabled, guard.faults, alarm.touched]).toEqual([false, [], 0])
  // what the garbage collector leaves lying around differs by some hundred kilobytes
  expect(used() - before).toBeLessThan(2_000_000)
  guard.hint('')
  const loop = Array.from({ length: 8 }, (): AgentEvent[] => [
    { type: 'turn-start' },
    { type: 'tool-call', name: 'read_file', args: { path: 'a.ts' } },
    { type: 'tool-result', output: 'a' },
  ]).flat()
  expect(loop.map((event) => guard.observe(event)).some(Boolean)).toBe(true)
}, 3_600_000)

/** Every exotic shape at every place once, but for the few that take milliseconds each. */
function strangeEvents(alarm: Alarm): AgentEvent[] {
  return exotics
    .filter(([name]) => !/million|20,000|circle|itself|shared parts|long text|realm/.test(name))
    .flatMap(([, make]) => Object.values(places).map((put) => put(make(alarm)) as AgentEvent))
}

const NAMES = ['read_file', 'bash', 'edit', 'grep', 'wait', 'click', '__proto__', '']
const WORDS =
  'the a error not found ok done file test 12 0x7f \n {"a": } … 一次 😀 ```\n | --- |'.split(' ')

function randomEvent(next: (below: number) => number, strange: AgentEvent[]): AgentEvent {
  const words = (most: number) =>
    Array.from({ length: next(most) }, () => WORDS[next(WORDS.length)]).join(' ')
  const agent = next(12) === 0 ? { agent: `agent${next(40)}` } : {}
  const id = next(3) === 0 ? { id: `${next(9)}` } : {}
  const at = next(2) === 0 ? { at: next(2 ** 30) } : {}
  switch (next(12)) {
    case 0:
      return strange[next(strange.length)] as AgentEvent
    case 1:
    case 2:
    case 3:
      return {
        type: 'tool-call',
        ...agent,
        ...id,
        ...at,
        name: NAMES[next(NAMES.length)] ?? '',
        args: { command: words(6), n: next(4) },
      }
    case 4:
    case 5:
    case 6:
      return {
        type: 'tool-result',
        ...agent,
        ...id,
        ...at,
        output: words(12),
        isError: next(5) === 0,
      }
    case 7:
      return { type: 'text', ...agent, text: words(8) }
    case 8:
      return { type: 'reasoning', ...agent, text: words(8) }
    case 9:
      return { type: next(2) ? 'turn-start' : 'turn-end', ...agent }
    case 10:
      return next(4)
        ? { type: 'retry', ...agent }
        : { type: 'handoff', ...agent, to: `agent${next(5)}`, text: words(5) }
    default:
      return next(40)
        ? { type: 'usage', inputTokens: next(100) }
        : { type: 'prompt', text: words(9) }
  }
}

/** Whole numbers below a limit, the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
