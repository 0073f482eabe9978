import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listChoices } from './list-choices.js'

let server: Server
let url: string
beforeEach(async () => {
  server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === 'Bearer right'
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: [{ id: 'gpt-5' }, { id: 'gpt-5-mini' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`
})
afterEach(() => server.close())

const { signal } = new AbortController()
const nowhere = 'http://127.0.0.1:1/v1'
const local = { ollama: nowhere, lmstudio: nowhere, vllm: nowhere }
const list = (keys: Record<string, string>) =>
  listChoices({ env: {}, keys, baseUrl: { openai: url, ...local }, signal })

it('lists the models of those that have a key, and of no others', async () => {
  expect((await list({ openai: 'right' })).map(({ model }) => model)).toEqual([
    ...['openai/gpt-5', 'openai/gpt-5-mini'],
  ])
  expect(await list({})).toEqual([])
})

it('knows names also where the list cannot be had', async () => {
  const choices = await list({ openai: 'wrong' })
  expect(choices.length).toBeGreaterThan(2)
  expect(new Set(choices.map(({ provider }) => provider))).toEqual(new Set(['openai']))
})
