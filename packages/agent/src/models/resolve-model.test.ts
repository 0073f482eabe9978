import { expect, test } from 'vitest'
import { type ResolveOptions, resolveModel } from './resolve-model.js'

const resolve = (spec: string, options: Partial<ResolveOptions> = {}) =>
  resolveModel(spec, { env: {}, ...options })

test.each([
  ['', 'no model was named', 'openai, anthropic, google'],
  ['gpt-5', '"gpt-5" names no provider', 'PROVIDER/NAME'],
  ['foo/bar', 'unknown provider "foo"', 'ollama, lmstudio, vllm, compatible, embedded'],
  ['toString/x', 'unknown provider "toString"', 'openai'],
  ['openai/', '"openai/" names no model', 'openai/NAME'],
  ['openai/gpt-5', 'openai/gpt-5 needs an API key', 'OPENAI_API_KEY'],
  ['anthropic/claude-x', 'anthropic/claude-x needs an API key', 'ANTHROPIC_API_KEY'],
  ['google/gemini-3', 'google/gemini-3 needs an API key', 'GEMINI_API_KEY'],
  ['compatible/m', 'compatible/m has no address', 'base URL'],
])('"%s" is refused with "%s"', async (spec, message, advice) => {
  await expect(resolve(spec)).rejects.toMatchObject({
    kind: 'configuration',
    message,
    advice: expect.stringContaining(advice),
  })
})

test.each(['not a url', 'ftp://host/v1', '/v1'])(
  'the base URL "%s" is refused',
  async (baseUrl) => {
    await expect(resolve('vllm/m', { baseUrl })).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining(baseUrl),
    })
  },
)

test('a key with characters no key has is refused and not shown', async () => {
  const env = { OPENAI_API_KEY: 'sk-1234…5678' }
  const error = await resolve('openai/m', { env }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ kind: 'configuration', advice: 'Check OPENAI_API_KEY.' })
  expect(String(error)).not.toContain('sk-')
})

test.each([
  ['anthropic/claude-sonnet-4-5', 200_000],
  ['openai/gpt-4.1-mini', 1_047_576],
  ['openai/gpt-5-codex', 272_000],
  ['google/gemini-2.5-pro', 1_048_576],
  ['vllm/meta-llama/Llama-4', 128_000],
  ['ollama/qwen3', 4096],
])('%s takes %i tokens', async (spec, contextTokens) => {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_API_KEY: 'k' }
  expect(await resolve(spec, { env })).toMatchObject({ name: spec, contextTokens })
  expect(await resolve(spec, { env, contextTokens: 9 })).toMatchObject({ contextTokens: 9 })
})

test('how much Ollama takes is in the environment', async () => {
  const env = { OLLAMA_CONTEXT_LENGTH: '65536' }
  expect((await resolve('ollama/qwen3', { env })).contextTokens).toBe(65_536)
})

test('the embedded model needs nothing', async () => {
  expect((await resolve('embedded')).name).toContain('embedded')
})
