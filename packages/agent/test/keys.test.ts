import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Provider, startProvider } from '@unloop/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createAgent } from '../src/agent.js'
import { resolveModel } from '../src/models/resolve-model.js'
import { collect } from './collect.js'

const KEY = 'k-0123456789-secret'
const SPECS = {
  openai: { spec: 'openai/gpt-5', env: { OPENAI_API_KEY: KEY }, path: '/v1' },
  anthropic: { spec: 'anthropic/claude-opus-4', env: { ANTHROPIC_API_KEY: KEY }, path: '' },
  google: { spec: 'google/gemini-3-pro', env: { GEMINI_API_KEY: KEY }, path: '' },
  ollama: { spec: 'ollama/qwen3', env: { OLLAMA_API_KEY: KEY }, path: '' },
  lmstudio: { spec: 'lmstudio/qwen3', env: { LM_API_TOKEN: KEY }, path: '/v1' },
  vllm: { spec: 'vllm/qwen3', env: { VLLM_API_KEY: KEY }, path: '/v1' },
}
const PROVIDERS = Object.entries(SPECS).map(([provider, rest]) => ({ provider, ...rest }))

let provider: Provider | undefined
let redirecting: Server | undefined
afterEach(async () => {
  redirecting?.close()
  await provider?.close()
})

const ask = async (model: Awaited<ReturnType<typeof resolveModel>>) =>
  (await collect(createAgent({ model, retries: 0 }).sendMessageStream('Hi'))).at(-1)

const isSent = ({ exchanges }: Provider) =>
  exchanges.some(({ headers }) => JSON.stringify(headers).includes(KEY))

describe.each(PROVIDERS)('the key of $provider', ({ provider: name, spec, env, path }) => {
  it('goes to an address that the person has named for this provider', async () => {
    provider = await startProvider([{ text: 'Hello.' }, { text: 'Hello.' }])
    const url = `${provider.url}${path}`
    for (const baseUrl of [url, { provider: name, url, isTrusted: true }]) {
      expect(await ask(await resolveModel(spec, { env, baseUrl }))).toMatchObject({
        reason: 'done',
      })
      expect(isSent(provider)).toBe(true)
    }
  })

  it('does not go to an address that somebody else has named', async () => {
    provider = await startProvider([{ text: 'Hello.' }])
    const baseUrl = { provider: name, url: `${provider.url}${path}`, isTrusted: false }
    for (const options of [{ env }, { env: {}, apiKey: KEY }]) {
      const error = await resolveModel(spec, { ...options, baseUrl }).catch((reason) => reason)
      expect(error).toMatchObject({ name: 'ModelError', kind: 'configuration' })
      expect(error.message).toContain(provider.url)
      expect(error.advice).toMatch(/set \w+_(?:BASE_URL|HOST) to it/)
      expect(JSON.stringify(error) + error.message + error.advice).not.toContain(KEY)
    }
    expect(provider.exchanges).toEqual([])
  })

  it('does not go to an address that was named for another provider', async () => {
    provider = await startProvider(() => ({ text: 'Hello.' }))
    const own = { [URLS[name] ?? '']: `${provider.url}${path}` }
    for (const other of PROVIDERS) {
      if (other.provider === name) continue
      const baseUrl = { provider: other.provider, url: 'http://192.0.2.1/v1', isTrusted: true }
      // at the address of the environment, as if none was given
      const model = await resolveModel(spec, { env: { ...env, ...own }, baseUrl })
      expect(await ask(model)).toMatchObject({ reason: 'done' })
    }
    expect(provider.exchanges).toHaveLength(PROVIDERS.length - 1)
  })

  it('does not go where the address redirects to', async () => {
    provider = await startProvider([{ text: 'Hello.' }])
    const { url } = provider
    redirecting = createServer((request, response) => {
      request.resume()
      response.writeHead(307, { location: `${url}${request.url}` }).end()
    })
    await new Promise<void>((resolve) => redirecting?.listen(0, '127.0.0.1', resolve))
    const { port } = redirecting.address() as AddressInfo
    const baseUrl = `http://127.0.0.1:${port}${path}`
    expect(await ask(await resolveModel(spec, { env, baseUrl }))).toMatchObject({
      type: 'error',
      kind: 'network',
      message: expect.stringContaining('redirect'),
    })
    expect(provider.exchanges).toEqual([])
  })
})

const URLS: Record<string, string> = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  google: 'GOOGLE_GEMINI_BASE_URL',
  ollama: 'OLLAMA_HOST',
  lmstudio: 'LMSTUDIO_BASE_URL',
  vllm: 'VLLM_BASE_URL',
}

it('a server that needs no key is asked at any address', async () => {
  provider = await startProvider([{ text: 'Hello.' }])
  const baseUrl = { provider: 'compatible', url: `${provider.url}/v1`, isTrusted: false }
  const model = await resolveModel('compatible/qwen3', { env: { OPENAI_API_KEY: KEY }, baseUrl })
  expect(await ask(model)).toMatchObject({ reason: 'done' })
  expect(isSent(provider)).toBe(false)
})
