import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createModelNames } from './model-names.js'

describe('the models that can be chosen', () => {
  it('are those of the server that is used, the current one first', async () => {
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ data: [{ id: 'x' }, { id: 'a/b:c' }] })),
    )
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const names = createModelNames(
      // nobody listens there
      { OLLAMA_BASE_URL: 'http://127.0.0.1:1', LMSTUDIO_BASE_URL: 'http://127.0.0.1:1/v1' },
      () => ({ provider: 'compatible', url, isTrusted: true }),
    )
    const { signal } = new AbortController()
    expect((await names.list('compatible/a/b:c', signal)).slice(0, 3)).toEqual([
      'compatible/a/b:c',
      'embedded',
      'compatible/x',
    ])
    expect((await names.list('embedded/demo', signal))[0]).toBe('embedded')
    server.close()
  })
})
