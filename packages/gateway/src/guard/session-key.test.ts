import { describe, expect, it } from 'vitest'
import { readSender, toSessionId } from './session-key.js'

const sessionOf = (headers: Record<string, string>, body: object = {}) =>
  readSender(headers, '/', body).session

describe('the session of a request', () => {
  it.each([
    [{ 'x-unloop-session': 'mine' }, {}, 'mine'],
    [{ 'x-unloop-session': 'mine', 'x-claude-code-session-id': 'theirs' }, {}, 'mine'],
    [{ 'x-litellm-trace-id': 'trace-1' }, {}, 'trace-1'],
    [{ 'agent-session-id': 'envoy' }, {}, 'envoy'],
    [{ 'helicone-session-id': 'helicone' }, {}, 'helicone'],
    [{ 'session-id': 'the-session', 'thread-id': 'the-thread' }, {}, 'the-thread'],
    [{ 'x-acme-session-id': 'abcdefgh' }, {}, 'abcdefgh'],
    [{ 'x-acme-session-id': 'short' }, {}, undefined],
    [{ 'x-acme-session-id': 'no spaces please' }, {}, undefined],
    [{}, { metadata: { user_id: 'user_1_account_2_session_0b6e-1111' } }, '0b6e-1111'],
    [{}, { metadata: { user_id: '{"device":"x","session_id":"0b6e-4444"}' } }, '0b6e-4444'],
    [{}, { metadata: { sessionId: '12345678' } }, '12345678'],
    [{}, { request: { session_id: '12345678' } }, '12345678'],
    // one per user, not per conversation
    [{}, { user: 'ada', prompt_cache_key: 'abcdefghij', metadata: { user_id: 'ada' } }, undefined],
  ])('%j %j', (headers, body, session) => {
    expect(sessionOf(headers as Record<string, string>, body)).toBe(session)
  })

  it('is another one under another key', () => {
    const keys = ['Bearer one', 'Bearer two'].map(
      (authorization) => readSender({ authorization }, '/', {}).key,
    )
    expect(new Set(keys.map((key) => toSessionId(key, 'same'))).size).toBe(2)
  })

  it.each([
    ['api-key', { authorization: 'Bearer dummy', 'api-key': 'one' }],
    ['x-api-key', { authorization: 'Bearer dummy', 'x-api-key': 'one' }],
    ['x-goog-api-key', { 'x-api-key': 'dummy', 'x-goog-api-key': 'one' }],
  ])('is another one under another %s, whatever else is sent', (name, headers) => {
    const one = readSender(headers, '/', {})
    const other = readSender({ ...headers, [name]: 'two' }, '/', {})
    expect(one.key).not.toBe(other.key)
    // rules know each of them
    expect(one.keys).toContain(readSender({ [name]: 'one' }, '/', {}).key)
    expect(one.keys).toContain(other.keys[0])
  })

  it('is the same where the same key is sent twice', () => {
    const both = { authorization: 'Bearer sk-a', 'x-api-key': 'sk-a' }
    expect(readSender(both, '/', {}).key).toBe(readSender({ 'x-api-key': 'sk-a' }, '/', {}).key)
  })

  it('does not show its key', () => {
    const { key } = readSender({ 'x-api-key': 'sk-secret' }, '/', {})
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(readSender({}, '/v1beta/models?key=sk-secret', {}).key).toBe(key)
  })
})
