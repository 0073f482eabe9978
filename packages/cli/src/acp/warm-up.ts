import { createGuard } from 'unloop'
import type { Json } from './json.js'
import { readLongUpdate } from './long-line.js'
import { MAX_WATCHED } from './relay.js'
import { createSession } from './session.js'

/**
 * Lets a guard watch a short loop that nobody sees. Code that runs for the first time takes up to 9 ms for one update, and lines that
 * come meanwhile would wait.
 */
export function warmUp(): void {
  const session = createSession('warm-up', '/', {
    toClient: () => {},
    toAgent: () => {},
    hasNotices: () => false,
    newRequest: () => 'warm-up',
  })
  session.guardWith(createGuard({ attended: true }))
  session.prompt('0', 'warm up')
  for (let at = 0; at < ROUNDS; at++) for (const update of roundOf(at)) session.update(update)
  session.end('0')
  session.guard?.snapshot()
  readLongUpdate(Buffer.alloc(MAX_WATCHED, LONG), MAX_WATCHED + 1)
}

// the last rounds are a loop, so that findings are made as well
const ROUNDS = 30
const LOOP = 8
const LONG = '{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update"}}}'

function roundOf(at: number): Json[] {
  const name = at < ROUNDS - LOOP ? `file-${at}` : 'nothing'
  const toolCallId = `call-${at}`
  const lines = Array.from({ length: 40 }, (_, line) => `${name}: line ${line * 17}`)
  const content = [{ type: 'content', content: { type: 'text', text: lines.join('\n') } }]
  const call = { toolCallId, title: name, name: 'shell', kind: 'execute', status: 'in_progress' }
  return [
    { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `Step ${at}. ` } },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `Now ${name}. ` } },
    { sessionUpdate: 'tool_call', ...call, rawInput: { command: `cat ${name}` } },
    { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content },
  ]
}
