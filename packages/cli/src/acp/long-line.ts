import type { Json } from './json.js'

/** Fields that stand before what makes a line long, in every agent that was seen. */
const FIELDS = {
  sessionId: /"sessionId"\s{0,9}:\s{0,9}"([^"\\]{1,200})"/,
  sessionUpdate: /"sessionUpdate"\s{0,9}:\s{0,9}"(\w{1,40})"/,
  toolCallId: /"toolCallId"\s{0,9}:\s{0,9}"([^"\\]{1,200})"/,
  status: /"status"\s{0,9}:\s{0,9}"(\w{1,40})"/,
  kind: /"kind"\s{0,9}:\s{0,9}"(\w{1,40})"/,
  title: /"title"\s{0,9}:\s{0,9}"([^"\\]{1,400})"/,
} as const

// the fields stand at the start
const START = 2048
// enough to tell two answers apart, together with the size
const TOLD = 16 * 1024

/** An update that is too long to be read, from its first part: a call or an answer, with the start of what it says. */
export function readLongUpdate(start: Buffer, size: number): Json | undefined {
  const head = start.toString('utf8', 0, START)
  const field = (name: keyof typeof FIELDS) => FIELDS[name].exec(head)?.[1]
  const sessionUpdate = field('sessionUpdate')
  if (sessionUpdate !== 'tool_call' && sessionUpdate !== 'tool_call_update') return
  const text = `${start.toString('utf8', head.length, head.length + TOLD)} (${size} bytes)`
  const [toolCallId, status] = [field('toolCallId'), field('status')]
  const isOver = status === 'completed' || status === 'failed'
  const told = isOver
    ? { content: [{ type: 'content', content: { type: 'text', text } }] }
    : { rawInput: { text } }
  const update = { sessionUpdate, toolCallId, status, kind: field('kind'), title: field('title') }
  return {
    method: 'session/update',
    params: { sessionId: field('sessionId'), update: { ...update, ...told } },
  }
}

/** The same for a prompt of the person, without its text. */
export function readLongPrompt(start: Buffer, id: string): Json {
  const sessionId = FIELDS.sessionId.exec(start.toString('utf8', 0, START))?.[1]
  return { id: JSON.parse(id), method: 'session/prompt', params: { sessionId } }
}
