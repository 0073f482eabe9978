// What the upstream answers. The client writes the same answers into the history, so that a conversation goes on as a real one.
import { prose } from '../prose.js'
import { createRandom } from '../random.js'

/** Answers at once, and 50 tokens a second. */
export const INSTANT_MODEL = 'gpt-4.1'
export const PACED_MODEL = 'gpt-4.1-mini'
export const PACE_MS = 20

export const STREAM_CHUNKS = 500

export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A message in which the n-th call of a conversation is made; each differs from all others, as in honest work. */
export function callMessage(n: number): {
  role: 'assistant'
  content: null
  tool_calls: ToolCall[]
} {
  const from = (n * 37) % 900
  const [name, input] = [
    ['read_file', { path: `src/area-${n % 61}/part-${n}.ts`, from, to: from + 40 }],
    ['search', { query: `handler${n}`, folder: `src/area-${n % 53}` }],
    ['run', { command: `npm test -- part-${n} --seed ${from}` }],
  ][n % 3] as [string, object]
  const call = { name, arguments: JSON.stringify(input) }
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${`${n}`.padStart(24, '0')}`, type: 'function', function: call }],
  }
}

/** A whole answer that makes the n-th call. */
export function jsonAnswer(n: number): string {
  return JSON.stringify({
    id: `chatcmpl-${`${n}`.padStart(29, 'B')}`,
    object: 'chat.completion',
    created: 1_763_000_000,
    model: INSTANT_MODEL,
    choices: [
      {
        index: 0,
        message: { ...callMessage(n), refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1200, completion_tokens: 32, total_tokens: 1232 },
  })
}

/** The events of a streamed answer: a role, text of about a token each, and the end; `[DONE]` is not among them. */
export function streamEvents(seed: number, chunks = STREAM_CHUNKS): Buffer[] {
  const random = createRandom(seed)
  const id = `chatcmpl-${random.hex(29)}`
  const fingerprint = `fp_${random.hex(10)}`
  const event = (delta: object, finish: string | null) =>
    Buffer.from(
      `data: ${JSON.stringify({
        id,
        object: 'chat.completion.chunk',
        created: 1_763_000_000,
        model: INSTANT_MODEL,
        system_fingerprint: fingerprint,
        choices: [{ index: 0, delta, finish_reason: finish }],
      })}\n\n`,
    )
  // a token of English is about four characters
  const text = prose(random, chunks * 4)
  const texts = Array.from({ length: Math.max(0, chunks - 2) }, (_, n) =>
    event({ content: text.slice(n * 4, n * 4 + 4) }, null),
  )
  return [event({ role: 'assistant', content: '' }, null), ...texts, event({}, 'stop')]
}

export const DONE = Buffer.from('data: [DONE]\n\n')
