import { describe, expect, it } from 'vitest'
import { call, prompt, result } from '../../test/events.js'
import type { AgentEvent } from '../event.js'
import { createLineage, nextName, pastOf, placeOf } from './lineage.js'

const said = (text: string): AgentEvent => ({ type: 'text', text })
const answer = (id: string, output: string) => ({ ...result(output), id })

describe('placeOf', () => {
  it('knows the next request by the last one and its answer', () => {
    const first = [prompt('go')]
    const made = call('read', { path: 'a' }, '1')
    const next = [...first, said('I look.'), made, answer('1', 'x')]
    expect(placeOf(first).last).toBeUndefined()
    expect(placeOf(next).last).toBe(nextName(placeOf(first).whole, made))
  })

  it('does not depend on what the model said, or how arguments are written', () => {
    const one = [prompt('go'), said('I look.'), call('read', { path: 'a' }, '1'), answer('1', 'x')]
    const other = [prompt('go'), call('read', '{"path":"a"}', '1'), answer('1', 'x')]
    expect(placeOf(other)).toEqual(placeOf(one))
  })

  it('tells long answers apart by their ends and their length', () => {
    const long = (text: string) => `${text}${'x'.repeat(1000)}${text}`
    const places = ['a', 'b', 'aa'].map(
      (text) => placeOf([prompt('go'), call('read', {}, '1'), answer('1', long(text))]).whole,
    )
    expect(new Set(places).size).toBe(3)
  })

  it('tells conversations apart by words, calls and their ids', () => {
    const places = [
      [prompt('go'), call('read', {}, '1')],
      [prompt('go'), call('read', {}, '2')],
      [prompt('come'), call('read', {}, '1')],
      [prompt('go'), call('write', {}, '1')],
    ].map((history) => placeOf(history).whole)
    expect(new Set(places).size).toBe(4)
  })
})

describe('pastOf', () => {
  it('is what happened since the person spoke, up to the last answer of the model', () => {
    const calls = [call('read', {}, '1'), call('list', {}, '2')]
    const past = [prompt('go'), calls[0], answer('1', 'x'), calls[1]] as AgentEvent[]
    const history = [prompt('hi'), said('Hello.'), ...past, answer('2', 'y')]
    const turn = { type: 'turn-start' }
    expect(pastOf(history)).toEqual([past[0], turn, past[1], past[2], turn, past[3]])
  })

  it('is nothing where the person has just spoken', () => {
    expect(pastOf([prompt('hi'), said('Hello.'), prompt('go')])).toEqual([])
  })
})

describe('a lineage', () => {
  function walk(steps: (readonly [last: string | undefined, now: string])[]) {
    const lineage = createLineage()
    return steps.map(([last, now]) => {
      const way = lineage.enter(last)
      lineage.leave(now)
      return way
    })
  }

  it('is one conversation, also where the person goes back or the history is shortened', () => {
    const ways = walk([
      [undefined, 'a1'],
      ['a1', 'a2'],
      ['a2', 'a3'],
      ['a1', 'b2'],
      ['b2', 'b3'],
      ['summary', 'c1'],
      [undefined, 'd1'],
    ])
    expect(new Set(ways)).toEqual(new Set(['same']))
  })

  it('goes on after requests on the side, as often as they come', () => {
    const ways = walk([
      [undefined, 'a1'],
      [undefined, 'title 1'],
      ['a1', 'a2'],
      [undefined, 'title 2'],
      ['a2', 'a3'],
    ])
    expect(ways).toEqual(['same', 'same', 'other', 'same', 'other'])
  })

  it('notices two that take turns', () => {
    const ways = walk([
      [undefined, 'a1'],
      [undefined, 'b1'],
      ['a1', 'a2'],
      ['b1', 'b2'],
    ])
    expect(ways).toEqual(['same', 'same', 'other', 'shared'])
  })

  it('notices two that began with the same words', () => {
    const ways = walk([
      [undefined, 'same'],
      [undefined, 'same'],
      ['same', 'a2'],
      ['same', 'b2'],
      ['a2', 'a3'],
    ])
    expect(ways.at(-1)).toBe('shared')
  })
})
