import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterEach, describe, expect, test } from 'vitest'
import { type Provider, type Script, startProvider } from './index.js'

let provider: Provider | undefined
afterEach(async () => {
  await provider?.close()
  provider = undefined
})

async function start(script: Script) {
  provider = await startProvider(script)
  return provider
}

const MODELS = {
  'openai-chat': ({ url }: Provider) =>
    createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, includeUsage: true })('m'),
  'openai-responses': ({ url }: Provider) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).responses('m'),
  anthropic: ({ url }: Provider) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('m'),
  gemini: ({ url }: Provider) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'k' })('m'),
}

type Model = ReturnType<(typeof MODELS)[keyof typeof MODELS]>

const prompt = [
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'Good morning' }] },
]

const TEXT = 'Grüße aus 東京 🎌, und noch etwas mehr Text, damit es viele Stücke gibt. '.repeat(20)

/** What a real client understands of a stream. */
async function readStream(model: Model) {
  const { stream } = await model.doStream({ prompt })
  const heard = { text: '', reasoning: '', deltas: 0, calls: [] as unknown[], errors: 0 }
  let finish: object = {}
  for await (const part of stream) {
    if (part.type === 'text-delta') heard.text += part.delta
    if (part.type === 'reasoning-delta') heard.reasoning += part.delta
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') heard.deltas++
    if (part.type === 'tool-call') heard.calls.push([part.toolCallId, part.toolName, part.input])
    if (part.type === 'error') heard.errors++
    if (part.type === 'finish') {
      const { inputTokens, outputTokens } = part.usage
      const usage = [inputTokens.total, inputTokens.cacheRead, outputTokens.total]
      finish = { reason: part.finishReason.unified, usage }
    }
  }
  return { ...heard, ...finish }
}

describe.each(Object.entries(MODELS))('%s', (protocol, toModel) => {
  test('a text with its reasoning', async () => {
    const server = await start([{ reasoning: 'Überlegen …', text: TEXT }])
    const heard = await readStream(toModel(server))
    expect(heard).toMatchObject({ reasoning: 'Überlegen …', text: TEXT, calls: [], errors: 0 })
    expect(heard).toMatchObject({ reason: 'stop', usage: [10, 0, 5] })
    expect(heard.deltas).toBeGreaterThan(100)
    expect(server.exchanges[0]).toMatchObject({ protocol })
    expect(JSON.stringify(server.exchanges[0]?.body)).toContain('Good morning')
    expect(await server.exchanges[0]?.disconnected).toBe(false)
  })

  test('parallel calls, usage and the finish that follows', async () => {
    const calls = [
      { name: 'read_file', args: { path: 'größe.txt', lines: [1, 20] } },
      { id: 'my-call', name: 'list_files' },
    ]
    const usage = { inputTokens: 1200, cachedTokens: 1000, outputTokens: 34 }
    const heard = await readStream(toModel(await start([{ text: 'I look.', calls, usage }])))
    expect(heard).toMatchObject({ text: 'I look.', reason: 'tool-calls', usage: [1200, 1000, 34] })
    expect(heard.calls).toEqual([
      ['call_0_0', 'read_file', '{"path":"größe.txt","lines":[1,20]}'],
      ['my-call', 'list_files', '{}'],
    ])
  })

  test('arguments that are not JSON arrive as written', async () => {
    const calls = [{ name: 'read_file', rawArgs: '{"path": "a' }]
    const heard = await readStream(toModel(await start([{ calls }])))
    expect(heard.calls).toEqual([['call_0_0', 'read_file', '{"path": "a']])
  })

  test('an answer that is too long', async () => {
    const heard = await readStream(toModel(await start([{ text: 'and so', finish: 'length' }])))
    expect(heard).toMatchObject({ text: 'and so', reason: 'length' })
  })

  test('a refusal', async () => {
    const heard = await readStream(toModel(await start([{ text: 'No.', finish: 'refused' }])))
    expect(heard).toMatchObject({ reason: 'content-filter' })
  })

  test('the same in one piece', async () => {
    const calls = [{ name: 'read_file', args: { path: 'a' } }]
    const server = await start([{ reasoning: 'Hm.', text: 'I look.', calls }])
    const { content, usage, finishReason } = await toModel(server).doGenerate({ prompt })
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolName: 'read_file', input: '{"path":"a"}' },
    ])
    expect(usage.inputTokens.total).toBe(10)
    expect(finishReason.unified).toBe('tool-calls')
  })

  test('a status with its headers and reason', async () => {
    const headers = { 'retry-after': '7' }
    const model = toModel(await start([{ status: 429, headers, message: 'too fast' }]))
    await expect(model.doStream({ prompt })).rejects.toMatchObject({
      statusCode: 429,
      message: 'too fast',
      responseHeaders: { 'retry-after': '7' },
    })
  })

  test('a stream that is cut', async () => {
    const server = await start([{ text: TEXT, fault: 'cut' }])
    const cause = { message: 'terminated' }
    await expect(readStream(toModel(server))).rejects.toMatchObject({ cause })
    expect(await server.exchanges[0]?.disconnected).toBe(false)
  })

  test('a stream that ends too early', async () => {
    const heard = await readStream(toModel(await start([{ text: TEXT, fault: 'unfinished' }])))
    expect(TEXT.startsWith(heard.text)).toBe(true)
    expect(heard.text.length).toBeGreaterThan(100)
    expect(heard).not.toMatchObject({ reason: 'stop' })
  })

  test('an event that is not JSON, and one that reports an error', async () => {
    const script = [
      { text: TEXT, fault: 'malformed' as const },
      { text: TEXT, fault: 'error' as const },
    ]
    const model = toModel(await start(script))
    expect((await readStream(model)).errors).toBe(1)
    expect((await readStream(model)).errors).toBeGreaterThan(0)
  })

  test('silence until the client goes, which the server sees', async () => {
    const server = await start([{ text: TEXT, fault: 'silence', after: 8 }])
    const controller = new AbortController()
    const options = { prompt, abortSignal: controller.signal }
    const reading = toModel(server)
      .doStream(options)
      .then(async ({ stream }) => {
        for await (const part of stream) if (part.type === 'text-delta') controller.abort()
      })
    await expect(reading).rejects.toThrow('aborted')
    expect(await server.exchanges[0]?.disconnected).toBe(true)
  })
})

test('a script can be a function of the request, and answer late', async () => {
  const server = await start(async ({ body }, turn) => ({ text: `${turn}: ${body.model}` }))
  const model = MODELS.anthropic(server)
  expect((await readStream(model)).text).toBe('0: m')
  expect((await readStream(model)).text).toBe('1: m')
})

test('a request can be waited for before it comes', async () => {
  const server = await start([{ text: 'a' }, { text: 'b' }])
  const second = server.exchange(1)
  const model = MODELS.anthropic(server)
  await readStream(model)
  await readStream(model)
  expect((await second).body).toMatchObject({ model: 'm' })
})

test('a script at its end and one that throws are refusals that say so', async () => {
  const ended = MODELS.anthropic(await start([]))
  await expect(ended.doStream({ prompt })).rejects.toThrow('no reply for request 0')
  await provider?.close()
  const failing = await start(() => {
    throw new Error('oops')
  })
  await expect(MODELS.gemini(failing).doStream({ prompt })).rejects.toThrow('oops')
})

test('other paths are not found', async () => {
  const { url } = await start([])
  expect((await fetch(`${url}/v1/models`)).status).toBe(404)
})

test('closing ends what is silent, and the client did not disconnect', async () => {
  const server = await start([{ fault: 'silence', after: 0 }])
  const reading = fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{"stream":true}' })
  const { disconnected } = await server.exchange(0)
  const body = (await reading).text()
  await server.close()
  await expect(body).rejects.toThrow()
  expect(await disconnected).toBe(false)
})

test('slow chunks all arrive', async () => {
  const server = await start([{ text: 'slowly does it', pauseMs: 1 }])
  expect((await readStream(MODELS.anthropic(server))).text).toBe('slowly does it')
})
