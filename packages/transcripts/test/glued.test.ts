import { describe, expect, it } from 'vitest'
import { lines, readText } from './read.js'

const line = (n: number, more: object = {}) =>
  JSON.stringify({
    ...{ parentUuid: null, isSidechain: false, sessionId: 's', uuid: `u${n}`, type: 'user' },
    ...{ timestamp: '2026-11-03T10:00:00.000Z' },
    ...{ message: { role: 'user', content: `Request {${n}}` }, ...more },
  })
const torn = line(9).slice(0, -40)

/** The requests that were read, with their lines, and what became of the rest. */
async function requestsIn(...texts: string[]) {
  const { items, summary } = await readText(lines(...texts))
  const told = items.map(({ event, line }) => [event.type === 'prompt' && event.text, line])
  const { records, used, skipped, bad, badRecords } = summary
  expect(records).toBe(used + skipped + bad)
  return { told, bad: badRecords.map((record) => `${record.line}: ${record.reason}`) }
}

describe('records on one line', () => {
  it('are all read, and the next line has its own number', async () => {
    expect(await requestsIn(line(1), `${line(2)}${line(3)}`, line(4))).toEqual({
      told: [
        ['Request {1}', 1],
        ['Request {2}', 2],
        ['Request {3}', 2],
        ['Request {4}', 3],
      ],
      bad: [],
    })
  })

  it('are read with zeros between them, before them and after them', async () => {
    const { told, bad } = await requestsIn(
      line(1),
      `\0\0${line(2)}\0\0\0${line(3)}\0`,
      `${line(4)} ${line(5)}`,
    )
    expect(told.map(([, at]) => at)).toEqual([1, 2, 2, 3, 3])
    expect(bad).toEqual([])
  })

  it('are read as far as they are whole', async () => {
    const lost = 'not JSON: a record that breaks off within its line'
    expect(await requestsIn(line(1), `${torn}${line(2)}`, line(3))).toEqual({
      told: [
        ['Request {1}', 1],
        ['Request {2}', 2],
        ['Request {3}', 3],
      ],
      bad: [`2: ${lost}`],
    })
    expect((await requestsIn(line(1), `${line(2)}${torn}`)).bad).toEqual([`2: ${lost}`])
    expect((await requestsIn(line(1), torn)).bad).toEqual([expect.stringMatching(/^2: not JSON/)])
  })

  it('are read where most of the first is never looked at', async () => {
    const long = line(2, { toolUseResult: { file: 'x'.repeat(2000) } })
    const { told, bad } = await requestsIn(
      line(1),
      `${long}${line(3)}`,
      `${long.replace('u2', 'u5')}`,
    )
    expect(told.map(([text]) => text)).toEqual([
      ...['Request {1}', 'Request {2}', 'Request {3}', 'Request {2}'],
    ])
    expect(bad).toEqual([])
  })

  it('are read behind a note that is skipped', async () => {
    const note = { type: 'agent_message', message: 'x'.repeat(2000) }
    const said = { type: 'message', role: 'assistant', content: 'Done.' }
    const framed = (type: string, payload: object) =>
      JSON.stringify({ timestamp: '2026-11-03T10:00:00.000Z', type, payload })
    const { events, summary } = await readText(
      `${framed('session_meta', { id: 's' })}\n${framed('event_msg', note)}${framed('response_item', said)}\n`,
    )
    expect(events).toContainEqual({ type: 'text', text: 'Done.' })
    expect(summary).toMatchObject({ records: 3, used: 1, skipped: 2, bad: 0 })
  })

  // work that grows with the square of them would not end within the limit of a test
  it('are read however many there are', async () => {
    const { summary } = await readText(
      lines(line(1), torn.repeat(20_000), Array.from({ length: 5000 }, (_, n) => line(n)).join('')),
    )
    expect(summary.bad).toBeGreaterThan(0)
  })
})
