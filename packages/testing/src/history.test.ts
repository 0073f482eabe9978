import { expect, test } from 'vitest'
import { startProvider } from './index.js'

const user = { role: 'user', content: 'go' }
const use = { type: 'tool_use', id: 'a', name: 'read_file', input: {} }
const called = { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: {} }] }
const functionCall = { name: 'read_file', args: {} }
const MESSAGES = '/v1/messages'
const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const CONTENTS = '/v1beta/models/m:generateContent'

test.each([
  [
    MESSAGES,
    'signature',
    [user, { role: 'assistant', content: [{ type: 'thinking', signature: '' }] }],
  ],
  [MESSAGES, 'non-empty', [user, { role: 'assistant', content: [] }, user]],
  [
    MESSAGES,
    'non-empty',
    [user, { role: 'assistant', content: [{ type: 'text', text: '' }] }, user],
  ],
  [MESSAGES, 'tool_result', [user, { role: 'assistant', content: [use] }, user]],
  [CHAT, 'tool_calls', [user, called, user]],
  [CHAT, 'tool_calls', [user, called, { role: 'tool', tool_call_id: 'b', content: '' }]],
  [RESPONSES, 'reasoning', [{ type: 'reasoning', id: 'rs_1', summary: [] }, user]],
  [RESPONSES, 'tool output', [user, { type: 'function_call', call_id: 'a' }]],
  [CONTENTS, 'must not be empty', [{ role: 'user', parts: [] }]],
  [
    CONTENTS,
    'function response',
    [{ role: 'model', parts: [{ functionCall }] }, { parts: [{ text: 'go' }] }],
  ],
])('%s does not take a history that its provider refuses: %s', async (path, reason, history) => {
  const { url, close } = await startProvider([{ text: 'Done.' }])
  const body = { messages: history, input: history, contents: history }
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(reason)
  await close()
})

test('messages of the system that say nothing are taken, as Claude Code sends them after a summary', async () => {
  const { url, close } = await startProvider([{ text: 'Done.' }])
  const body = { messages: [user, { role: 'system', content: [] }] }
  const response = await fetch(url + MESSAGES, { method: 'POST', body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  await response.text()
  await close()
})
