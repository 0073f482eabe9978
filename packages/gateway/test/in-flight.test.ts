import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Served, serve, startRecorder } from './serve.js'

// What a gateway holds for requests whose answers have not come.

const PATHS = [
  ['/v1/chat/completions', 'messages'],
  ['/v1/messages', 'messages'],
  ['/v1/responses', 'input'],
  ['/v1beta/models/m:generateContent', 'contents'],
] as const

const metric = async (gateway: Served, name: string) =>
  new RegExp(`^unloop_gateway_${name} (\\d+)$`, 'm').exec(
    await (await fetch(`${gateway.url}/metrics`)).text(),
  )?.[1]

const ask = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const manyValues = (field: string) => ({
  model: 'm',
  [field]: [{ role: 'user', content: 'x', parts: [{ text: 'x' }] }],
  metadata: Array.from({ length: 20_000 }, () => ({})),
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** An upstream that answers when it is told to. */
async function startSlow() {
  const waiting: (() => void)[] = []
  const upstream = await startRecorder((response) => {
    waiting.push(() => response.writeHead(401, { 'content-type': 'application/json' }).end('{}'))
  })
  return {
    url: upstream.url,
    seen: upstream.seen,
    async received(count: number) {
      while (upstream.seen.length < count) await new Promise((resolve) => setImmediate(resolve))
    },
    answer: () => {
      for (const one of waiting.splice(0)) one()
    },
  }
}

describe('what was read of a request is not held while its answer is waited for', () => {
  it.each(PATHS)('%s', async (path, field) => {
    const upstream = await startSlow()
    const gateway = await serve(upstream.url)
    const body = JSON.stringify(manyValues(field))
    // so that all is loaded
    const first = ask(gateway.url + path, body)
    await upstream.received(1)
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const count = 40
    const asked = Array.from({ length: count }, () => ask(gateway.url + path, body))
    await upstream.received(1 + count)
    upstream.seen.length = 0
    collectGarbage()
    // 20,000 empty objects take more than a megabyte
    expect((process.memoryUsage().heapUsed - before) / count).toBeLessThan(300_000)
    expect(await metric(gateway, 'held_bytes')).toBe('0')
    upstream.answer()
    for (const answer of await Promise.all([first, ...asked]))
      expect([answer.status, answer.headers.get('x-unloop-verdict')]).toEqual([401, 'go'])
  })
})

describe('a request beyond what is held for all', () => {
  const text = (length: number) =>
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(length) }] })

  it.each([
    ['long', text(20_000), {}],
    ['that unpacks to much', gzipSync(text(40_000)), { 'content-encoding': 'gzip' }],
    ['of many values', JSON.stringify(manyValues('messages')), {}],
  ])('passes as it is, and is counted: one that is %s', async (_, body, headers) => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, { limits: { heldBytes: 50_000 } })
    const url = `${gateway.url}/v1/chat/completions`
    // it has to be more than this, with what is made of it
    const small = await ask(url, text(10_000))
    expect(small.headers.get('x-unloop-verdict')).toBe('go')
    const large = await ask(url, body, headers)
    expect([large.status, large.headers.get('x-unloop-verdict')]).toEqual([200, null])
    expect(upstream.seen[1]?.body.toString('latin1')).toBe(Buffer.from(body).toString('latin1'))
    expect(await metric(gateway, 'unguarded_total\\{reason="busy"\\}')).toBe('1')
    expect(await metric(gateway, 'held_bytes')).toBe('0')
  })
})
