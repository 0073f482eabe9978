import { expect, test } from 'vitest'
import { createEventReader, type ServerEvent } from './event-stream.js'

function read(...pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = []
  const take = createEventReader((event) => events.push(event))
  for (const piece of pieces) take(piece)
  return events
}

const STREAM =
  ': hello\n\nevent: live\r\ndata: {"a":\r\ndata:  1}\r\n\r\ndata: x\rdata\r\rid: 7\n\n'
const EVENTS = [
  { event: 'live', data: '{"a":\n 1}' },
  { event: 'message', data: 'x\n' },
]

test('all line ends, comments, several data lines, events without a name or data', () => {
  expect(read(STREAM)).toEqual(EVENTS)
})

test('where the text is cut does not matter', () => {
  expect(read(...STREAM)).toEqual(EVENTS)
  for (let at = 0; at <= STREAM.length; at++) {
    expect(read(STREAM.slice(0, at), STREAM.slice(at))).toEqual(EVENTS)
  }
})

test('an event without its empty line is not complete', () => {
  expect(read('event: live\ndata: 1\n')).toEqual([])
})
