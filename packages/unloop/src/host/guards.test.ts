import { describe, expect, it } from 'vitest'
import { call, result, times } from '../../test/events.js'
import type { Fault } from '../fault.js'
import { createGuards, type GuardStore } from './guards.js'
import { runOf } from './run.js'

const loop = [call('read', { path: 'a' }), result('content')]

function createStore() {
  const values = new Map<string, { value: string; timeToLiveMs: number }>()
  const store: GuardStore = {
    get: async (key) => values.get(key)?.value,
    set: async (key, value, timeToLiveMs) => values.set(key, { value, timeToLiveMs }),
    delete: async (key) => values.delete(key),
  }
  return { store, values }
}

describe('createGuards', () => {
  it('gives each conversation its own guard, and the same one again', () => {
    const guards = createGuards({ guard: { tools: { read: { effect: 'reads' } } } })
    const one = guards.of('one')
    expect(guards.of('one')).toBe(one)
    expect(guards.of('two')).not.toBe(one)
    times(6, loop).map(one.observe)
    expect(one.stopped).toBe(true)
    expect(guards.of('two').stopped).toBe(false)
  })

  it('makes room for new ones, and forgets the one that was silent for longest', () => {
    const guards = createGuards({ max: 2 })
    const one = guards.of('one')
    const two = guards.of('two')
    guards.of('one')
    guards.of('three')
    expect(guards.size).toBe(2)
    expect(guards.of('one')).toBe(one)
    expect(guards.of('two')).not.toBe(two)
  })

  it('goes on in another process with a store, advice and verdicts included', async () => {
    const { store, values } = createStore()
    const here = createGuards({ store, idleMs: 5000 })
    const guard = await here.open('one')
    const run = runOf(guard)
    for (let i = 0; i < 3; i++) {
      run.decide({ type: 'turn-start' })
      run.decide(call('read', { path: 'a' }, `${i}`))
      run.decide({ type: 'tool-result', id: `${i}`, output: 'content' })
    }
    await here.save('one')
    expect([...values.values()][0]?.timeToLiveMs).toBe(5000)

    const there = createGuards({ store })
    const again = runOf(await there.open('one'))
    expect(again.takeAdvice()).toBe(run.takeAdvice())
    expect(again.calls.map(({ id }) => id)).toEqual(['0', '1', '2'])
    again.decide({ type: 'turn-start' })
    expect(again.decide(call('read', { path: 'a' }, '3')).type).not.toBe('go')
  })

  it('hands a conversation on under a new name, once', async () => {
    const guards = createGuards()
    const guard = guards.of('before')
    expect(await guards.take('before', 'after')).toBe(guard)
    expect(await guards.take('before', 'after')).toBeUndefined()
    expect(guards.of('after')).toBe(guard)
  })

  it('deletes a conversation everywhere', async () => {
    const { store, values } = createStore()
    const guards = createGuards({ store })
    const guard = await guards.open('one')
    await guards.save('one')
    await guards.delete('one')
    expect(values.size).toBe(0)
    expect(await guards.open('one')).not.toBe(guard)
  })

  it('goes on without the store when it fails, and says so once', async () => {
    const faults: Fault[] = []
    const fail = async () => {
      throw new Error('no connection')
    }
    const guards = createGuards({
      guard: { onFault: (fault) => faults.push(fault) },
      store: { get: fail, set: fail, delete: fail },
    })
    const guard = await guards.open('one')
    await guards.save('one')
    expect(await guards.open('one')).toBe(guard)
    expect(faults.map(({ part, error }) => `${part}: ${error}`)).toEqual([
      'store: Error: no connection',
    ])
  })

  it('starts over where the store has something that is no guard', async () => {
    const { store } = createStore()
    await store.set('unloop:one', '{"unloop":1}', 1000)
    const guards = createGuards({ store, guard: { onFault: () => {} } })
    expect((await guards.open('one')).events).toBe(0)
    expect(guards.faults).toHaveLength(1)
  })

  it.each([
    [{ store: {} }, 'createGuards.store must have get, set and delete, got an object'],
    [{ idleMs: 0 }, 'createGuards.idleMs must be a number above 0, got 0'],
    [{ guard: { mode: 'off' } }, 'mode must be one of enforce, observe, got "off"'],
  ])('refuses %j at once', (options, message) => {
    expect(() => createGuards(options as never)).toThrow(new RangeError(message))
  })
})
