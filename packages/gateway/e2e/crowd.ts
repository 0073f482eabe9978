import { once } from 'node:events'
import { createServer, Agent as HttpAgent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { type GatewayProcess, type Redis, startGatewayProcess } from './processes.js'

/** A session of a crowd. */
export interface Crowded {
  session: string
  messages: object[]
  id: string
}

/** Many sessions at one gateway. */
export interface Crowd {
  gateway: GatewayProcess
  /** That many new sessions ask once. */
  come(count: number): Promise<Crowded[]>
  /** A session asks once more. */
  ask(one: Crowded): Promise<void>
  stop(): Promise<void>
}

const TOOLS = [{ type: 'function', function: { name: 'read', parameters: {} } }]

/** Starts a gateway for sessions with this name and a number. */
export async function startCrowd(redis: Redis, name: string): Promise<Crowd> {
  const upstream = await startCalls()
  const gateway = await startGatewayProcess(upstream.url, '--store', redis.url)
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 32 })
  let come = 0

  /** Asks once; fetch would take longer than the gateway does. */
  const ask = (one: Crowded) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'x-unloop-session': one.session }
      const options = { agent, method: 'POST', headers }
      const sent = request(`${gateway.url}/v1/chat/completions`, options, async (response) => {
        const { choices } = JSON.parse(Buffer.concat(await response.toArray()).toString())
        expect(response.headers['x-unloop-verdict']).toBe('go')
        one.id = String(response.headers['x-unloop-session'])
        const [{ message }] = choices
        const [{ id }] = message.tool_calls
        one.messages.push(message, { role: 'tool', tool_call_id: id, content: `${id} is done` })
        resolve()
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ model: 'gpt-5', messages: one.messages, tools: TOOLS }))
    })

  return {
    gateway,
    ask,
    async come(count) {
      const all = Array.from({ length: count }, () => {
        const task = `Task ${++come}: ${'read the file. '.repeat(20)}`
        return { session: `${name} ${come}`, messages: [{ role: 'user', content: task }], id: '' }
      })
      await Promise.all(all.map(ask))
      return all
    },
    async stop() {
      agent.destroy()
      await gateway.stop()
      upstream.close()
    },
  }
}

/** A provider that answers every request with a call, as fast as it can. */
async function startCalls() {
  let turn = 0
  const server = createServer((message, response) => {
    message.resume()
    message.on('end', () => {
      const called = { name: 'read', arguments: '{"path":"a"}' }
      const tool_calls = [{ id: `call_${turn++}`, type: 'function', function: called }]
      const message = { role: 'assistant', content: null, tool_calls }
      const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 }
      const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices, usage }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
