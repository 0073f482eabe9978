import Anthropic, { type Middleware } from '@anthropic-ai/sdk'
import { type Provider, startProvider } from '@unloop/testing'
import { expect, it } from 'vitest'
import { guardMiddleware } from '../../src/adapters/anthropic/index.js'
import { guardFetch } from '../../src/adapters/openai/index.js'
import { createGuard, type Guard } from '../../src/guard.js'

const LOOP = () => ({ calls: [{ name: 'read_file', args: { path: 'a' } }] })
const tools = [{ type: 'function', function: { name: 'read_file' } }]
const KEY = { authorization: 'Bearer none', 'content-type': 'application/json' }

const lengthOf = (body: string) => String(Buffer.byteLength(body))

/** Can be gone through and has names to delete, but is no `Headers`. */
class AxiosHeaders {
  constructor(headers: object) {
    Object.assign(this, headers)
  }
  delete(name: string) {
    return Reflect.deleteProperty(this, name)
  }
  [Symbol.iterator]() {
    return Object.entries(this)[Symbol.iterator]()
  }
}

/** The ways in which a program hands its headers to a fetch. */
const SHAPES: Record<string, (body: string) => HeadersInit> = {
  'an object': (body) => ({ ...KEY, 'content-length': lengthOf(body) }),
  'an object in capitals': (body) => ({ ...KEY, 'Content-Length': lengthOf(body) }),
  pairs: (body) => [...Object.entries(KEY), ['Content-Length', lengthOf(body)]],
  'an iterator of pairs': (body) =>
    new Headers({ ...KEY, 'content-length': lengthOf(body) }).entries() as unknown as HeadersInit,
  'a class of its own, as axios has': (body) =>
    new AxiosHeaders({ ...KEY, 'Content-Length': lengthOf(body) }) as unknown as HeadersInit,
  Headers: (body) => new Headers({ ...KEY, 'content-length': lengthOf(body) }),
}

type Send = (fetch: typeof globalThis.fetch, url: string, body: string) => Promise<Response>

const SENDS: Record<string, Send> = {
  ...Object.fromEntries(
    Object.entries(SHAPES).flatMap(([name, headersOf]): [string, Send][] => [
      [name, (fetch, url, body) => fetch(url, { method: 'POST', body, headers: headersOf(body) })],
      [
        `${name} of a Request`,
        (fetch, url, body) =>
          fetch(new Request(url, { method: 'POST', body, headers: headersOf(body) })),
      ],
      [
        `${name} beside a Request`,
        (fetch, url, body) =>
          fetch(new Request(url, { method: 'POST', body }), { headers: headersOf(body) }),
      ],
      [
        `${name} beside a Request, with the body`,
        (fetch, url, body) =>
          fetch(new Request(url, { method: 'POST', body: 'another' }), {
            body,
            headers: headersOf(body),
          }),
      ],
    ]),
  ),
  'an URL': (fetch, url, body) =>
    fetch(new URL(url), {
      method: 'POST',
      body,
      headers: { ...KEY, 'content-length': lengthOf(body) },
    }),
}

/** A loop until the guard ends it; gives the last words. */
async function loopThrough(guarded: typeof fetch, url: string, send: Send): Promise<string> {
  const messages: unknown[] = [{ role: 'user', content: 'go' }]
  for (let turn = 0; turn < 9; turn++) {
    const body = JSON.stringify({ model: 'gpt-5', messages, tools })
    const response = await send(guarded, `${url}/v1/chat/completions`, body)
    const { message } = (await response.json()).choices[0]
    if (!message.tool_calls) return message.content
    messages.push(message)
    for (const { id } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: 'content' })
  }
  return ''
}

function expectAdvised(guard: Guard, { exchanges }: Provider): void {
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(guard.faults).toEqual([])
  const advice = JSON.stringify(guard.findings[0]?.advice).slice(1, -1)
  expect(JSON.stringify(exchanges.map(({ body }) => body))).toContain(advice)
}

it.each(Object.entries(SENDS))(
  'guardFetch gives the model its advice where the client tells the length of the body: %s',
  async (_, send) => {
    const provider = await startProvider(LOOP)
    const guard = createGuard()
    const text = await loopThrough(guardFetch(guard), provider.url, send)
    await provider.close()
    expect(text).toContain('Stopped: ')
    expectAdvised(guard, provider)
    const keys = provider.exchanges.map(({ headers }) => headers.authorization)
    expect(new Set(keys)).toEqual(new Set(['Bearer none']))
  },
)

it('anthropic gives the model its advice where another middleware tells the length', async () => {
  const provider = await startProvider(LOOP)
  const guard = createGuard()
  const options = { apiKey: 'none', baseURL: provider.url, maxRetries: 0 }
  const setLength: Middleware = (request, next) => {
    const headers = new Headers(request.headers)
    headers.set('content-length', lengthOf(request.body as string))
    return next({ ...request, headers })
  }
  const client = new Anthropic({ ...options, middleware: [setLength, guardMiddleware(guard)] })
  const runner = client.beta.messages.toolRunner({
    model: 'claude-sonnet-5',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'go' }],
    tools: [
      {
        name: 'read_file',
        input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
        run: async () => 'content',
        parse: (content: unknown) => content,
      },
    ],
  })
  const { content } = await runner
  await provider.close()
  expect(JSON.stringify(content)).toContain('Stopped: ')
  expectAdvised(guard, provider)
})

it.each(Object.entries(SHAPES))(
  'a sender of your own gets %s as it would have',
  async (shape, of) => {
    const sent: HeadersInit[] = []
    const provider = await startProvider(LOOP)
    const guarded = guardFetch(createGuard(), (input, init) => {
      sent.push(init.headers)
      return fetch(input, init)
    })
    await loopThrough(guarded, provider.url, (fetch, url, body) =>
      fetch(url, { method: 'POST', body, headers: of(body) }),
    )
    await provider.close()
    const [first, ...rest] = sent
    const shapeOf = (headers?: HeadersInit) => headers?.constructor.name
    // what can be read once comes as pairs
    if (shape !== 'an iterator of pairs')
      expect(rest.map(shapeOf)).toEqual(rest.map(() => shapeOf(first)))
    // those that were changed say all but the length
    expect(Object.fromEntries(new Headers(sent.at(-1)))).toEqual(KEY)
  },
)

it('passes a request on as it came where nothing is changed', async () => {
  const provider = await startProvider([{ text: 'Done.' }, { text: 'Done.' }])
  const url = `${provider.url}/v1/chat/completions`
  const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'go' }] })
  const headers = { ...KEY, 'content-length': lengthOf(body) }
  const sent: unknown[][] = []
  const guarded = guardFetch(createGuard(), (...args) => {
    sent.push(args)
    return fetch(...args)
  })
  const init = { method: 'POST', body, headers }
  const request = new Request(url, init)
  await (await guarded(url, init)).text()
  await (await guarded(request)).text()
  await provider.close()
  expect(sent[0]?.[0]).toBe(url)
  expect(sent[0]?.[1]).toBe(init)
  expect(sent[1]?.[0]).toBe(request)
  expect(provider.exchanges.map(({ body }) => JSON.stringify(body))).toEqual([body, body])
})
