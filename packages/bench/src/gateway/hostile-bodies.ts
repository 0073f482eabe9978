// Requests that are small on the wire or quickly written, and long to read.
import * as zlib from 'node:zlib'

/** A request that wants to keep a gateway busy. */
export interface HostileBody {
  name: string
  path: string
  /** undefined: as it is */
  encoding?: Encoding
  /** Written on demand: all of them together would fill the memory. */
  body(): Buffer
}

export type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd'

// from Node 22.15
const newZlib = zlib as { zstdCompressSync?: (body: Buffer) => Buffer }

const MB = 1_000_000
const DEEP = 4 * MB

const CHAT = '/v1/chat/completions'

/** The bodies, in the encodings that this Node knows. */
export const hostileBodies: HostileBody[] = [
  packed('10 MB of messages', CHAT, () => messages(10 * MB)),
  packed('30 MB of messages', CHAT, () => messages(30 * MB)),
  ...encodings().map((encoding) =>
    packed('99 MB of messages', CHAT, () => messages(99 * MB), encoding),
  ),
  packed('90 MB, 500,000 calls', CHAT, () => calls(500_000, () => 'call_0')),
  packed('90 MB, 500,000 calls with ids', CHAT, () => calls(500_000, (n) => `call_${n}`)),
  packed('99 MB, one long message', CHAT, () => longMessage(99 * MB)),
  packed(`${DEEP / MB} million arrays deep`, CHAT, () => deep(DEEP)),
  packed('99 MB of messages, Anthropic', '/v1/messages', () => messages(99 * MB)),
  packed('99 MB of items, Responses', '/v1/responses', () => messages(99 * MB, 'input')),
  packed('99 MB of contents, Gemini', '/v1beta/models/m:generateContent', () =>
    messages(99 * MB, 'contents'),
  ),
  { name: '20 MB of messages', path: CHAT, body: () => messages(20 * MB) },
  // as much as is guarded
  { name: '30 MB, one long message', path: CHAT, body: () => longMessage(30 * MB) },
  { name: '4,500 calls', path: CHAT, body: () => calls(4500, (n) => `call_${n}`) },
  { name: '90,000 values in one call', path: '/v1/messages', body: () => wideCall(90_000) },
  {
    name: '20 MB of messages, LiteLLM guardrail',
    path: '/beta/litellm_basic_guardrail_api',
    body: () => messages(20 * MB, 'structured_messages'),
  },
  {
    name: '20 MB of messages, Portkey guardrail',
    path: '/guardrails/portkey',
    body: () => nested('{"eventType":"beforeRequestHook","request":{"json":', messages(20 * MB)),
  },
]

function packed(
  name: string,
  path: string,
  write: () => Buffer,
  encoding: Encoding = 'gzip',
): HostileBody {
  return { name, path, encoding, body: () => pack(write(), encoding) }
}

function pack(body: Buffer, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'gzip':
      return zlib.gzipSync(body, { level: 9 })
    case 'deflate':
      return zlib.deflateSync(body, { level: 9 })
    case 'br':
      // the best quality takes minutes for a few bytes less
      return zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } })
    case 'zstd':
      return newZlib.zstdCompressSync?.(body) as Buffer
  }
}

function encodings(): Encoding[] {
  return ['gzip', 'deflate', 'br', ...(newZlib.zstdCompressSync ? (['zstd'] as const) : [])]
}

const messages = (bytes: number, field = 'messages') =>
  Buffer.from(`{"model":"m","${field}":[${'{},'.repeat(bytes / 3)}{}]}`)

const longMessage = (bytes: number) =>
  Buffer.from(`{"model":"m","messages":[{"role":"user","content":"${'a'.repeat(bytes)}"}]}`)

const deep = (levels: number) =>
  Buffer.from(`{"model":"m","messages":${'['.repeat(levels)}${']'.repeat(levels)}}`)

function calls(count: number, idOf: (n: number) => string): Buffer {
  const rounds = Array.from({ length: count }, (_, n) => {
    const id = idOf(n)
    const call = `{"id":"${id}","type":"function","function":{"name":"read","arguments":"{}"}}`
    return `{"role":"assistant","tool_calls":[${call}]},{"role":"tool","tool_call_id":"${id}","content":"ok"}`
  })
  return Buffer.from(`{"model":"m","messages":[${rounds.join()}]}`)
}

function wideCall(values: number): Buffer {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: Array(values).fill({}) }
  const messages = [
    { role: 'user', content: 'Read it' },
    { role: 'assistant', content: [call] },
  ]
  return Buffer.from(JSON.stringify({ model: 'm', messages }))
}

const nested = (before: string, body: Buffer) =>
  Buffer.concat([Buffer.from(before), body, Buffer.from('}}')])
