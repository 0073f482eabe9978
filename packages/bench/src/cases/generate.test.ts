import { expect, test } from 'vitest'
import { families } from './families.js'
import { generateCases } from './generate.js'

const cases = [...generateCases(11, 1)]

test('the same seed gives the same cases, another seed others', () => {
  const again = [...generateCases(11, 1)]
  expect(JSON.stringify(again)).toBe(JSON.stringify(cases))
  const other = [...generateCases(12, 1)]
  const equal = other.filter((run, index) => JSON.stringify(run) === JSON.stringify(cases[index]))
  expect(equal).toEqual([])
})

test('every kind is there, under one name', () => {
  const kinds = families.flatMap(({ loops, lookalikes }) =>
    [...loops, ...lookalikes].map(({ kind }) => kind),
  )
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(kinds))
  expect(families.flatMap(({ loops }) => loops).length).toBeGreaterThan(70)
  expect(families.flatMap(({ lookalikes }) => lookalikes).length).toBeGreaterThan(90)
})

test('every loop says in words when it is evident', () => {
  for (const { loops } of families) for (const { evident } of loops) expect(evident).not.toBe('')
})

test('a loop begins, becomes evident and continues, in this order', () => {
  for (const { id, loop, evidentAt, secondRepeatAt, events } of cases) {
    if (!loop) {
      expect([id, evidentAt, secondRepeatAt]).toEqual([id, undefined, undefined])
      continue
    }
    expect(secondRepeatAt, id).toBeGreaterThan(0)
    expect(evidentAt, id).toBeGreaterThanOrEqual(secondRepeatAt as number)
    expect(evidentAt, id).toBeLessThan(events.length - 1)
  }
})

test('an answer has its call before it', () => {
  for (const { id, events } of cases) {
    const open = new Set<string>()
    for (const event of events) {
      if (event.type === 'tool-call' && event.id) open.add(event.id)
      if (event.type === 'tool-result' && event.id) {
        expect(open.delete(event.id), `${id}: ${event.id}`).toBe(true)
      }
    }
  }
})

test('no delta is empty', () => {
  const empty = cases.filter(({ events }) =>
    events.some((event) => event.type === 'text' && event.text === ''),
  )
  expect(empty.map(({ id }) => id)).toEqual([])
})
