import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { knownModels } from './known-models.js'
import { listModels } from './list-models.js'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

const requests: IncomingMessage[] = []

/** A server on this machine that answers every request with this; nothing hangs. */
async function serve(body?: unknown, status = 200): Promise<string> {
  requests.length = 0
  server = createServer((request, response) => {
    requests.push(request)
    if (body === undefined) return
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const asked = () => ({ url: requests[0]?.url, headers: requests[0]?.headers })

describe('the models of a provider', () => {
  it('are those of OpenAI that chat, newest first', async () => {
    const url = await serve({
      object: 'list',
      data: [
        { id: 'gpt-4.1', object: 'model', created: 1 },
        { id: 'text-embedding-3-small', object: 'model', created: 9 },
        { id: 'gpt-5', object: 'model', created: 2 },
      ],
    })
    const env = { OPENAI_API_KEY: 'sk-key', OPENAI_BASE_URL: `${url}/v1/` }
    expect(await listModels('openai', { env })).toEqual(['gpt-5', 'gpt-4.1'])
    expect(asked()).toMatchObject({
      url: '/v1/models',
      headers: { authorization: 'Bearer sk-key' },
    })
  })

  it("are Anthropic's", async () => {
    const url = await serve({
      data: [
        { type: 'model', id: 'claude-opus-5', created_at: '2026-08-01T00:00:00Z' },
        { type: 'model', id: 'claude-haiku-4-5', created_at: '2025-10-01T00:00:00Z' },
      ],
      has_more: false,
    })
    const env = { ANTHROPIC_BASE_URL: url }
    expect(await listModels('anthropic', { env, apiKey: 'key' })).toEqual([
      'claude-opus-5',
      'claude-haiku-4-5',
    ])
    expect(asked()).toMatchObject({
      url: '/v1/models?limit=1000',
      headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
    })
  })

  it("are Google's that generate text", async () => {
    const url = await serve({
      models: [
        { name: 'models/gemini-2.5-pro', supportedGenerationMethods: ['generateContent'] },
        { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
      ],
    })
    const env = { GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: url }
    expect(await listModels('google', { env })).toEqual(['gemini-2.5-pro'])
    expect(asked()).toMatchObject({
      url: '/v1beta/models?pageSize=1000',
      headers: { 'x-goog-api-key': 'key' },
    })
  })

  it.each([
    ['ollama', 'OLLAMA_HOST', ''],
    ['lmstudio', 'LMSTUDIO_BASE_URL', '/v1'],
    ['vllm', 'VLLM_BASE_URL', '/v1'],
  ])('are those of a local server, without a key: %s', async (provider, variable, path) => {
    const url = await serve({ object: 'list', data: [{ id: 'qwen3:8b' }, { id: 'org/model' }] })
    expect(await listModels(provider, { env: { [variable]: url + path } })).toEqual([
      'qwen3:8b',
      'org/model',
    ])
    expect(asked()).toMatchObject({ url: '/v1/models' })
    expect(asked().headers).not.toHaveProperty('authorization')
  })

  it('are those of any compatible server', async () => {
    const baseUrl = `${await serve({ data: [{ id: 'a' }] })}/v1`
    expect(await listModels('compatible', { env: {}, baseUrl })).toEqual(['a'])
  })

  it('are one where the model is embedded', async () => {
    expect(await listModels('embedded', { env: {} })).toEqual(['demo'])
  })

  it('are told without what no name has in it', async () => {
    const url = await serve({
      data: [{ id: '\u001b[2J' }, { id: 5 }, null, {}, { id: 'x'.repeat(999) }, { id: 'fine' }],
    })
    expect(await listModels('vllm', { env: {}, baseUrl: url })).toEqual(['5', 'fine'])
  })
})

describe('a list that cannot be had says why', () => {
  const env = {}

  it('without a key', async () => {
    await expect(listModels('openai', { env })).rejects.toMatchObject({
      ...{ kind: 'configuration', message: 'openai needs an API key' },
      advice: 'Set OPENAI_API_KEY.',
    })
  })

  it('from nobody', async () => {
    await expect(listModels('nobody', { env })).rejects.toMatchObject({
      message: 'unknown provider "nobody"',
    })
  })

  it('with a wrong key, which is not shown', async () => {
    const baseUrl = await serve({ error: { message: 'wrong key sk-secret-12345' } }, 401)
    const apiKey = 'sk-secret-12345'
    const error = await listModels('openai', { env, baseUrl, apiKey }).catch((one) => one)
    expect(error).toMatchObject({ kind: 'refused', advice: 'Check OPENAI_API_KEY.' })
    expect(error.message).toMatch(/^openai does not accept the key \(401\): wrong key/)
    expect(error.message).not.toContain('secret')
  })

  it('where no server is', async () => {
    const baseUrl = await serve({})
    server?.close()
    server?.closeAllConnections()
    await expect(listModels('ollama', { env, baseUrl })).rejects.toMatchObject({
      ...{ kind: 'network', message: expect.stringContaining('no connection to ollama') },
      advice: expect.stringContaining('ollama serve'),
    })
  })

  it.each(['<html>', ''])('where something else answers: %s', async (body) => {
    const baseUrl = await serve(body)
    await expect(listModels('vllm', { env, baseUrl })).rejects.toMatchObject({
      ...{ kind: 'malformed', advice: 'Check the base URL.' },
    })
  })

  it('where the address leads on to another one, and the key stays here', async () => {
    const baseUrl = await serve('', 302)
    await expect(listModels('openai', { env, baseUrl, apiKey: 'key' })).rejects.toMatchObject({
      kind: expect.any(String),
    })
    expect(requests).toHaveLength(1)
  })

  it('as soon as the person has had enough', async () => {
    const baseUrl = await serve()
    const abort = new AbortController()
    const list = listModels('vllm', { env, baseUrl, signal: abort.signal })
    server?.once('request', () => abort.abort(new Error('enough')))
    await expect(list).rejects.toThrow('enough')
  })
})

describe('known models', () => {
  it.each(['openai', 'anthropic', 'google'])('of %s are several', (provider) => {
    expect(knownModels(provider).length).toBeGreaterThan(3)
  })

  it.each(['ollama', 'compatible', 'toString'])('of %s are none', (provider) => {
    expect(knownModels(provider)).toEqual([])
  })
})
