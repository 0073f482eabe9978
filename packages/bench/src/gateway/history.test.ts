import { expect, test } from 'vitest'
import { callMessage, jsonAnswer, STREAM_CHUNKS, streamEvents } from './answers.js'
import { createConversation, questionBody, wantedCall } from './history.js'

const read = (body: Buffer) => JSON.parse(body.toString())

test('a request has the answer to the one before, and a new result', () => {
  const conversation = createConversation(7, 4)
  const first = conversation.next()
  const second = conversation.next()
  expect(conversation.messages).toBe(6)
  const [before, after] = [read(first).messages, read(second).messages]
  expect(after.slice(0, 4)).toEqual(before)
  const { message } = JSON.parse(jsonAnswer(wantedCall(first))).choices[0]
  expect(message).toMatchObject(after[4])
  expect(after[5].tool_call_id).toBe(after[4].tool_calls[0].id)
})

test('all results of a conversation differ, and are 1 KB each', () => {
  const { messages } = read(createConversation(3, 220).next())
  expect(messages).toHaveLength(220)
  const results = messages.filter(({ role }: { role: string }) => role === 'tool')
  const texts = results.map(({ content }: { content: string }) => content)
  expect(new Set(texts).size).toBe(109)
  for (const result of results) {
    expect(JSON.stringify(result).length).toBeGreaterThan(950)
    expect(JSON.stringify(result).length).toBeLessThan(1100)
  }
})

test('calls of different numbers differ', () => {
  const calls = Array.from({ length: 300 }, (_, n) => callMessage(n).tool_calls[0]?.function)
  expect(new Set(calls.map((call) => JSON.stringify(call))).size).toBe(300)
})

test('questions have the same length', () => {
  expect(questionBody(1).length).toBe(questionBody(123_456_789).length)
})

test('a streamed answer has so many events of about 200 bytes', () => {
  const events = streamEvents(1)
  expect(events).toHaveLength(STREAM_CHUNKS)
  const bytes = events.reduce((sum, event) => sum + event.length, 0)
  expect(bytes / events.length).toBeGreaterThan(180)
  expect(bytes / events.length).toBeLessThan(250)
})
