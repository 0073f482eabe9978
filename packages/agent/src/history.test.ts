import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHistory, curate, type Entry } from './history.js'
import { callsOf, type Message } from './message.js'

const user = (content: string, from?: 'guard'): Message => ({
  role: 'user',
  content,
  ...(from && { from }),
})
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool-call', id, name: 'read', args: {} })),
})
const results = (...ids: string[]): Message => ({
  role: 'tool',
  content: ids.map((id) => ({
    ...{ type: 'tool-result', id, name: 'read', output: id, isError: false, outcome: 'done' },
  })),
})

describe('curate', () => {
  it('leaves a sound conversation alone', () => {
    const sound = [user('go'), calls('1', '2'), results('1', '2'), user('and?')]
    expect(curate(sound)).toEqual(sound)
  })

  it('answers a call nobody answered, and drops an answer nobody asked for', () => {
    expect(curate([user('go'), results('0'), calls('1', '2'), results('2', '3')])).toEqual([
      user('go'),
      calls('1', '2'),
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            id: '1',
            name: 'read',
            output: 'Whether this call was run is not known: it was interrupted.',
            isError: true,
            outcome: 'stopped',
          },
          ...(results('2').content as never[]),
        ],
      },
    ])
  })

  const message = fc.oneof(
    fc.constant(user('x')),
    fc.constant<Message>({ role: 'assistant', content: [] }),
    fc.constant<Message>({ role: 'assistant', content: [{ type: 'text', text: 'hm' }] }),
    fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }).map((ids) => calls(...ids)),
    fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }).map((ids) => results(...ids)),
  )

  it('always gives each call one answer right after it, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const curated = curate(messages)
        for (const [index, one] of curated.entries()) {
          const asked = callsOf(one).map(({ id }) => id)
          const next = curated[index + 1]
          if (asked.length > 0) {
            expect(next?.role === 'tool' && next.content.map(({ id }) => id)).toEqual(asked)
          }
          if (one.role === 'tool') expect(callsOf(curated[index - 1] as Message)).not.toEqual([])
          expect(one.content.length).toBeGreaterThan(0)
        }
        expect(curate(curated)).toEqual(curated)
      }),
    )
  })
})

describe('cutFrom', () => {
  const entries: Entry[] = [
    { message: user('go'), first: 0, last: 0 },
    { message: calls('1'), first: 1, last: 3 },
    { message: results('1'), first: 4, last: 4 },
    { message: calls('2'), first: 5, last: 7 },
    { message: user('stop that', 'guard'), first: 8, last: 8 },
    { message: user('a word of the person'), first: 9, last: 9 },
  ]

  it('drops what the events from a number on have made, and keeps what the person said', () => {
    const history = createHistory(entries)
    history.cutFrom(5)
    expect(history.entries.map(({ first }) => first)).toEqual([0, 1, 4, 9])
  })

  it('drops a message whose later part belongs to the loop', () => {
    const history = createHistory(entries)
    history.cutFrom(2)
    expect(history.entries.map(({ first }) => first)).toEqual([0, 9])
    expect(history.toMessages().map(({ role }) => role)).toEqual(['user', 'user'])
  })
})
