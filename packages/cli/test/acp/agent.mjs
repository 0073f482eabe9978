// A small agent that speaks the Agent Client Protocol and does what a prompt says, one step per word:
//   run:COMMAND     a call that fails the same way each time, without asking
//   ask:COMMAND     the same, after permission was given
//   new:COMMAND     a call with another answer each time
//   say:TEXT        a message
//   die             ends in the middle of a line
// Between two steps it asks the editor for `_step`, so that whatever the last step led to has arrived. Twice: the proxy
// hands on lines before it reads them, so an editor may answer the first request before the proxy has cancelled.
import { createInterface } from 'node:readline'

let ids = 0
let calls = 0
const requests = new Map()
const canceled = new Set()

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (sessionId, fields) =>
  send({ method: 'session/update', params: { sessionId, update: fields } })
const ask = (method, params) =>
  new Promise((resolve) => {
    // small numbers, as editors use them for their own requests
    const id = ids++
    requests.set(id, resolve)
    send({ id, method, params })
  })

async function step(sessionId, word) {
  const [verb, text = ''] = word.split(/:(.*)/s)
  if (verb === 'say') {
    return update(sessionId, {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text },
    })
  }
  if (verb === 'die') {
    return new Promise(() =>
      process.stdout.write('{"jsonrpc":"2.0","method":"session/upd', () => process.exit(7)),
    )
  }
  const toolCallId = `call-${++calls}`
  const call = { toolCallId, title: text, kind: 'execute', rawInput: { command: text } }
  update(sessionId, { sessionUpdate: 'tool_call', status: 'pending', name: 'shell', ...call })
  if (verb === 'ask') {
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ]
    const { outcome } = await ask('session/request_permission', {
      sessionId,
      toolCall: call,
      options,
    })
    if (outcome.outcome === 'cancelled') return
    if (outcome.optionId === 'no') {
      return update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' })
    }
  }
  update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' })
  const output = verb === 'new' ? `${calls} things` : `${text}: not found`
  update(sessionId, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: verb === 'new' ? 'completed' : 'failed',
    content: [{ type: 'content', content: { type: 'text', text: output } }],
  })
}

async function prompt({ sessionId, prompt: blocks }) {
  canceled.delete(sessionId)
  for (const word of blocks[0].text.split(' ')) {
    await step(sessionId, word)
    await ask('_step', { sessionId })
    await ask('_step', { sessionId })
    if (canceled.has(sessionId)) return { stopReason: 'cancelled' }
  }
  return { stopReason: 'end_turn', _meta: { blocks } }
}

function history({ sessionId }) {
  const content = { type: 'text', text: 'make it work' }
  update(sessionId, { sessionUpdate: 'user_message_chunk', content })
  for (let i = 0; i < 20; i++) {
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: `old-${i}`,
      status: 'failed',
      title: 'make',
      name: 'shell',
      kind: 'execute',
      rawInput: { command: 'make' },
      content: [{ type: 'content', content: { type: 'text', text: 'make: not found' } }],
    })
  }
  return {}
}

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': () => ({ sessionId: `session-${++calls}` }),
  'session/fork': () => ({ sessionId: `session-${++calls}` }),
  'session/resume': () => ({}),
  'session/load': history,
  'session/prompt': prompt,
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'session/cancel') canceled.add(params.sessionId)
  if (method === undefined) requests.get(id)?.(result)
  if (method === undefined || id === undefined) return
  send({ id, result: await answers[method](params) })
})
