import { describe, expect, it } from 'vitest'
import {
  call,
  failure,
  prompt,
  reasoning,
  result,
  retry,
  step,
  text,
  times,
  turn,
} from '../../test/events.js'
import type { AgentEvent } from '../event.js'
import { FIXED_SEED } from '../reading/hash.js'
import { fold, type Known, startLog } from './log.js'

const known: Known = { seed: FIXED_SEED, tools: {}, answers: true }

/** The log after these events. */
function logOf(events: AgentEvent[]) {
  const log = startLog()
  for (const [number, event] of events.entries()) fold(log, event, number, known)
  return log
}
const roundsOf = (events: AgentEvent[]) => logOf(events).rounds

const a = call('read_file', { path: 'a' }, '1')
const b = call('read_file', { path: 'b' }, '2')

describe('a round', () => {
  it('is a call and its answer', () => {
    const [round, ...others] = roundsOf([prompt('x'), a, result('text', '1')])
    expect(others).toEqual([])
    expect(round).toMatchObject({
      number: 1,
      end: 2,
      name: 'read_file',
      calls: 1,
      effect: 'reads',
      answered: true,
      learned: true,
      changed: false,
    })
  })

  it('is complete with the event that answers its last call', () => {
    expect(logOf([a]).completed).toBeUndefined()
    expect(logOf([turn(), a, b, result('x', '1')]).completed).toBeUndefined()
    const both = [turn(), a, b, result('x', '1'), result('y', '2')]
    expect(logOf(both).completed).toMatchObject({ calls: 2 })
  })

  it('has all calls that were made together, in any order and however often', () => {
    const one = roundsOf([turn(), a, b, result('x', '1'), result('y', '2')])
    const other = roundsOf([turn(), b, a, a, result('y', '2'), result('x', '1'), result('x')])
    expect(one).toHaveLength(1)
    expect(other).toHaveLength(1)
    expect(other[0]?.key).toBe(one[0]?.key)
    expect(other[0]?.print).toBe(one[0]?.print)
  })

  it('differs from another by its answers', () => {
    const [one] = roundsOf([turn(), a, b, result('x', '1'), result('y', '2')])
    const [other] = roundsOf([turn(), a, b, result('y', '1'), result('x', '2')])
    expect(other?.key).toBe(one?.key)
    expect(other?.print).not.toBe(one?.print)
  })

  it('may have each call followed by its answer, where turns are announced', () => {
    const interleaved = [turn(), a, result('x', '1'), b, result('y', '2')]
    expect(roundsOf(times(3, interleaved))).toHaveLength(3)
    expect(roundsOf(times(3, interleaved.slice(1)))).toHaveLength(6)
  })

  it('is over when somebody speaks again, where turns are not announced', () => {
    const events = [a, result('x', '1'), text('Now the other.'), b, result('y', '2')]
    expect(roundsOf(events)).toHaveLength(2)
    expect(roundsOf(events.with(2, reasoning('Now the other.')))).toHaveLength(2)
  })

  it('continues if a format repeats the thought of a turn before each of its calls', () => {
    const thought = reasoning('I need both files.')
    const lap = [turn(), thought, a, result('x', '1'), thought, b, result('y', '2')]
    expect(roundsOf(times(3, lap)).map(({ calls }) => calls)).toEqual([2, 2, 2])
  })

  it('goes on where a format gives each of its calls a turn, and the answers at the end', () => {
    const first = [turn(), a, result('x', '1')]
    const round = [turn(), a, turn(), b, result('x', '1'), result('y', '2')]
    expect(roundsOf([...first, ...round, ...round]).map(({ calls }) => calls)).toEqual([1, 2, 2])
  })

  it('is one, however many calls of it were answered one by one', () => {
    const calls = times(7, (lap) => [
      call('read', { path: `${lap}` }, `${lap}`),
      result('x', `${lap}`),
    ])
    expect(
      roundsOf([turn(), a, result('x', '1'), turn(), ...calls]).map(({ calls }) => calls),
    ).toEqual([1, 7])
  })

  it('finds its answers by their ids, their names, or their order', () => {
    const ls = call('ls', {}, '3')
    const expected = roundsOf([turn(), a, ls, result('x', '1'), result('y', '3')])[0]?.print
    for (const answers of [
      [result('y', '3'), result('x', '1')],
      [result('x'), result('y')],
      [{ ...result('y'), name: 'ls' } as AgentEvent, result('x')],
    ]) {
      expect(roundsOf([turn(), a, ls, ...answers])[0]?.print).toBe(expected)
    }
  })

  it('ends when the next turn begins, if there are no answers', () => {
    const rounds = roundsOf([turn(), a, turn(), b, turn()])
    expect(rounds.map(({ answered }) => answered)).toEqual([false, false])
  })

  it('has the answers that come after the next turn began', () => {
    const late = roundsOf([turn(), a, b, result('x', '1'), turn(), result('y', '2'), turn()])
    const intime = roundsOf([turn(), a, b, result('x', '1'), result('y', '2'), turn()])
    expect(late).toHaveLength(1)
    expect(late[0]).toMatchObject({ calls: 2, print: intime[0]?.print, looks: 1 })
  })

  it('is never the same if its arguments were not recorded', () => {
    const unknown = [call('edit'), result('ok')]
    const keys = roundsOf(times(4, unknown)).map(({ key }) => key)
    expect(new Set(keys).size).toBe(4)
  })

  it('is one call each if there are no answers and no turns', () => {
    expect(roundsOf([a, b, a, b, turn()])).toHaveLength(4)
    expect(roundsOf(times(2, [turn(), a, b])).map(({ calls }) => calls)).toEqual([2])
  })

  it('does not grow without end', () => {
    const rounds = roundsOf([turn(), ...times(40, [a]), ...times(40, [result('x')]), turn()])
    expect(Math.max(...rounds.map(({ calls }) => calls))).toBeLessThanOrEqual(8)
  })
})

describe('a log', () => {
  it('is bounded and knows how much it forgot', () => {
    const log = logOf(times(500, (lap) => step('read_file', { path: `${lap}` }, `text ${lap}`)))
    expect(log.rounds.length).toBeLessThan(200)
    expect(log.rounds.length + log.dropped).toBe(500)
  })

  it('takes back what a retry sends again', () => {
    const before = [turn(), a, result('x', '1')]
    expect(roundsOf([...before, turn(), b, result('y', '2'), retry()])).toHaveLength(1)
    expect(roundsOf([...before, turn(), b, retry(), b, result('y', '2')])).toHaveLength(2)
    expect(logOf([...before, turn(), a, retry()]).run).toBe(1)
  })

  it('knows a change from one that was made before', () => {
    const edit = step('edit', { path: 'a', new: 'x' }, 'ok')
    const other = step('edit', { path: 'a', new: 'y' }, 'ok')
    const changed = (events: AgentEvent[]) => roundsOf(events).map(({ changed }) => changed)
    expect(changed([...edit, ...other, ...edit])).toEqual([true, true, false])
    expect(changed([call('edit', { path: 'a' }), failure('no match')])).toEqual([false])
  })

  it('knows news from what was seen before', () => {
    const rounds = roundsOf([
      ...step('read_file', { path: 'a' }, 'one line\nother line'),
      ...step('grep', { in: 'a' }, 'other line'),
      ...step('grep', { in: 'a' }, ''),
    ])
    expect(rounds.map(({ learned }) => learned)).toEqual([true, false, false])
    expect(rounds.map(({ nothing }) => nothing)).toEqual([false, false, true])
  })

  it('recognizes a new error', () => {
    const fail = (output: string) => [call('make', {}), failure(output)]
    const rounds = roundsOf([
      ...fail('Error 1: disk'),
      ...fail('Error 2: disk'),
      ...fail('Error: net'),
    ])
    expect(rounds.map(({ newError }) => newError)).toEqual([true, false, true])
  })
})
