import { expect, test } from 'vitest'
import { PROVIDERS } from './providers.js'

test.each([
  ['127.0.0.1:9999', 'http://127.0.0.1:9999/v1'],
  ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
  [':9999', 'http://127.0.0.1:9999/v1'],
  ['gpu.local', 'http://gpu.local:11434/v1'],
  ['http://gpu.local:80', 'http://gpu.local/v1'],
  ['https://ollama.example.com/path', 'https://ollama.example.com/path/v1'],
  ['http://gpu.local:9999/v1', 'http://gpu.local:9999/v1'],
])('OLLAMA_HOST=%s is %s', (host, url) => {
  expect(PROVIDERS.ollama?.toBaseUrl?.(host)).toBe(url)
})

test('an address is good with and without the version', () => {
  expect(PROVIDERS.anthropic?.toBaseUrl?.('https://host')).toBe('https://host/v1')
  expect(PROVIDERS.anthropic?.toBaseUrl?.('https://host/v1')).toBe('https://host/v1')
  expect(PROVIDERS.google?.toBaseUrl?.('https://host')).toBe('https://host/v1beta')
  expect(PROVIDERS.google?.toBaseUrl?.('https://host/v1beta')).toBe('https://host/v1beta')
})
