import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client as ClientOf2,
  StreamableHTTPClientTransport as HttpOf2,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import {
  createMcpHandler,
  InMemoryTransport as InMemoryOf2,
  inputRequired,
  McpServer as McpServerOf2,
} from '@modelcontextprotocol/server'
import { createOracle } from '@unloop/testing'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  listening,
  type Program,
  SPEAKS_AT,
  testAdapter,
} from '../../../test/adapters/test-adapter.js'
import type { AgentEvent } from '../../event.js'
import { createGuard, type Guard } from '../../guard.js'
import { createGuards, type GuardStore } from '../../host/guards.js'
import { guardClient, guardServer, toTools } from './index.js'

const INFO = { name: 'files', version: '1.0.0' }
type Reader = (path: string) => string

function register(server: McpServer | McpServerOf2, read: Reader) {
  const shape = { path: z.string() }
  const handler = ({ path }: { path: string }) => ({
    content: [{ type: 'text' as const, text: read(path) }],
  })
  if (server instanceof McpServer) server.registerTool('read_file', { inputSchema: shape }, handler)
  else server.registerTool('read_file', { inputSchema: z.object(shape) }, handler)
}

async function connect(read: Reader, guard?: Guard) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = new McpServer(INFO)
  if (guard) guardServer(guard, server)
  register(server, read)
  const client = new Client(INFO)
  await Promise.all([server.connect(far), client.connect(near)])
  return client
}

async function connect2(read: Reader, guard?: Guard) {
  const [near, far] = InMemoryOf2.createLinkedPair()
  // a server that declares its tools has a handler for them from the start
  const server = new McpServerOf2(INFO, { capabilities: { tools: {} } })
  if (guard) guardServer(guard, server)
  register(server, read)
  const client = new ClientOf2(INFO)
  await Promise.all([server.connect(far), client.connect(near)])
  return client
}

interface Caller {
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<{
    [field: string]: unknown
  }>
}

/** The loop of a program whose tools are those of an MCP server. */
async function loop({ url, guard, prompt, signal }: Program, tools: Caller): Promise<string> {
  const model = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
  for (;;) {
    const { choices } = await model.chat.completions.create(
      { model: 'gpt-5', messages },
      { signal },
    )
    const message = choices[0]?.message
    if (!message?.tool_calls) return message?.content ?? ''
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const args = JSON.parse(call.function.arguments)
      const { content } = await tools.callTool({ name: call.function.name, arguments: args })
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(content) })
    }
    if (guard?.stopped) return 'stopped'
  }
}

const guardedBy = <C extends Caller>(guard: Guard | undefined, client: C): Caller =>
  guard ? guardClient(guard, client) : client

testAdapter('mcp 1, client', {
  streams: false,
  tellsRunsApart: false,
  seesRounds: false,
  run: async (program) => loop(program, guardedBy(program.guard, await connect(program.readFile))),
})

testAdapter('mcp 1, server', {
  streams: false,
  tellsRunsApart: false,
  seesRounds: false,
  run: async (program) => loop(program, await connect(program.readFile, program.guard)),
})

testAdapter('mcp 2, client', {
  streams: false,
  tellsRunsApart: false,
  seesRounds: false,
  run: async (program) => loop(program, guardedBy(program.guard, await connect2(program.readFile))),
})

testAdapter('mcp 2, server', {
  streams: false,
  tellsRunsApart: false,
  seesRounds: false,
  run: async (program) => loop(program, await connect2(program.readFile, program.guard)),
})

const CALL = { name: 'read_file', arguments: { path: 'a' } }
const OTHER = { name: 'read_file', arguments: { path: 'b' } }

async function repeat(times: number, tools: Caller) {
  const answers: string[] = []
  for (let i = 0; i < times; i++) answers.push(JSON.stringify(await tools.callTool(CALL)))
  return answers
}

it.each([
  ['client', async (guard: Guard, read: Reader) => guardClient(guard, await connect(read))],
  ['server', (guard: Guard, read: Reader) => connect(read, guard)],
])('answers no call at a %s once the person has stopped it', async (_, make) => {
  const guard = createGuard()
  const tools: Caller = await make(guard, (path) => `content of ${path}`)
  guard.stop()
  expect(await tools.callTool(CALL)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Stopped: the person ended the run.') }],
  })
  guard.continueOnce()
  expect(await tools.callTool(CALL)).toMatchObject({ content: [{ text: 'content of a' }] })
})

it.each([
  ['asked for something else', (guard: Guard) => guard.observe({ type: 'prompt', text: 'And b?' })],
  ['disabled the guard', (guard: Guard) => guard.disable()],
  [undefined, (guard: Guard) => guard.observe({ type: 'text', text: 'I will try b.' })],
])('keeps what it had to say from a model whose person has %s', async (isOld, choose) => {
  for (const guard of [createGuard(), createGuard({ detectors: [likely()] })]) {
    let isDown = true
    const client: Caller = {
      async callTool() {
        if (isDown) throw new Error('Connection closed')
        return { content: [] }
      },
    }
    const tools = guardClient(guard, client)
    guard.observe({ type: 'prompt', text: 'What is in a?' })
    for (let i = 0; i < 10 && guard.findings.length === 0; i++) {
      await tools.callTool(CALL).catch(() => {})
    }
    expect(guard.findings).toMatchObject([{ action: 'warn' }])
    isDown = false
    choose(guard)
    const { content } = await tools.callTool(OTHER)
    expect(content).toEqual(isOld ? [] : [{ type: 'text', text: guard.findings[0]?.advice }])
  }
})

const likely = () => createOracle('tool-call', (_, count) => (count > 2 ? 'likely' : undefined))

/** Calls with a signal, as each version takes it. */
const cancelWith = (client: Client | ClientOf2) => (path: string, signal: AbortSignal) => {
  const call = { name: 'read_file', arguments: { path } }
  return client instanceof Client
    ? client.callTool(call, undefined, { signal })
    : client.callTool(call, { signal })
}

describe('a guarded client', () => {
  it('answers every call with the reason once the run is stopped, until the person speaks', async () => {
    const guard = createGuard()
    const client = await connect((path) => `content of ${path}`)
    const tools = guardClient(guard, client)
    const answers = await repeat(6, tools)
    expect(answers[SPEAKS_AT - 1]).toContain(JSON.stringify(guard.findings[0]?.advice))
    expect(await tools.callTool(OTHER)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Stopped: read_file was called') }],
    })
    expect(() => guard.assert()).toThrow('read_file was called')
    guard.observe({ type: 'prompt', text: 'And b?' })
    expect(await tools.callTool(OTHER)).toMatchObject({ content: [{ text: 'content of b' }] })
    // the client that was given is as it was
    expect((await repeat(6, client)).at(-1)).toContain('content of a')
  })

  it.each([
    ['the person ended them', () => AbortSignal.abort(), 0],
    [
      'they took too long',
      () => AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError')),
      1,
    ],
  ])('hears of calls without an answer: %s', async (_, signalOf, found) => {
    for (const isSecond of [false, true]) {
      const guard = createGuard()
      const call = isSecond
        ? cancelWith(guardClient(guard, await connect2(() => '')))
        : cancelWith(guardClient(guard, await connect(() => '')))
      for (let i = 0; i < 8 && guard.findings.length === 0; i++) {
        await expect(call(`src/part-${i}.ts`, signalOf())).rejects.toThrow()
      }
      expect(guard.findings).toHaveLength(found)
    }
  })

  it('shows a call without arguments as one that has none', async () => {
    const events: AgentEvent[] = []
    const tools = guardClient(listening(events), {
      callTool: async (_: { name: string }) => ({ content: [] }),
    })
    await tools.callTool({ name: 'list_files' })
    expect(events[0]).toMatchObject({ type: 'tool-call', name: 'list_files', args: {} })
  })

  it('counts a call once, also where it was guarded twice', async () => {
    const guard = createGuard()
    const tools = guardClient(guard, guardClient(guard, await connect(() => 'content')))
    await repeat(2, tools)
    expect(guard.events).toBe(4)
  })

  it('is not disturbed by a guard that cannot be asked', async () => {
    const guard: Guard = Object.create(createGuard(), {
      events: {
        get() {
          throw new Error('ours')
        },
      },
    })
    const [answer] = await repeat(1, guardClient(guard, await connect(() => 'content')))
    expect(answer).toContain('content')
    expect(guard.faults).toMatchObject([{ part: 'mcp', error: new Error('ours') }])
  })

  it('is a client in all other respects', async () => {
    const tools = guardClient(createGuard(), await connect(() => ''))
    expect(tools).toBeInstanceOf(Client)
    expect(tools.getServerVersion()).toEqual(INFO)
    expect((await tools.listTools()).tools.map(({ name }) => name)).toEqual(['read_file'])
    await tools.close()
    expect(tools.transport).toBeUndefined()
  })

  it('throws what the client throws', async () => {
    const client = await connect(() => '')
    await client.close()
    const tools = guardClient(createGuard(), client)
    const plain = await client.callTool(CALL).catch((error: unknown) => error)
    expect(await tools.callTool(CALL).catch((error: unknown) => error)).toEqual(plain)
    expect(plain).toBeInstanceOf(Error)
  })
})

describe('a guarded server', () => {
  it('refuses the calls of the loop and answers all others', async () => {
    const read: string[] = []
    const guard = createGuard()
    const client = await connect((path) => {
      read.push(path)
      return `content of ${path}`
    }, guard)
    await repeat(6, client)
    expect(guard.stopped).toBe(true)
    expect(await client.callTool(CALL)).toMatchObject({ isError: true })
    expect(read).toEqual(Array(SPEAKS_AT).fill('a'))
    expect(await client.callTool(OTHER)).toEqual({
      content: [{ type: 'text', text: 'content of b' }],
    })
  })

  it('may be one whose handlers were set by hand, early or late', async () => {
    for (const isEarly of [true, false]) {
      const guard = createGuard()
      const server = new Server(INFO, { capabilities: { tools: {} } })
      if (!isEarly) guardServer(guard, server)
      server.setRequestHandler(CallToolRequestSchema, () => ({ content: [] }))
      if (isEarly) guardServer(guard, server)
      const [near, far] = InMemoryTransport.createLinkedPair()
      const client = new Client(INFO)
      await Promise.all([server.connect(far), client.connect(near)])
      expect((await repeat(5, client)).at(-1)).toContain('"isError":true')
    }
  })

  it('counts a call once, also where it was guarded twice', async () => {
    const guard = createGuard()
    const server = guardServer(guard, guardServer(guard, new McpServer(INFO)))
    register(server, () => 'content')
    const [near, far] = InMemoryTransport.createLinkedPair()
    const client = new Client(INFO)
    await Promise.all([server.connect(far), client.connect(near)])
    await repeat(2, client)
    expect(guard.events).toBe(4)
  })

  it('passes on what a handler throws', async () => {
    const guard = createGuard()
    const server = guardServer(guard, new Server(INFO, { capabilities: { tools: {} } }))
    server.setRequestHandler(CallToolRequestSchema, () => {
      throw new TypeError('no such file')
    })
    const [near, far] = InMemoryTransport.createLinkedPair()
    const client = new Client(INFO)
    await Promise.all([server.connect(far), client.connect(near)])
    await expect(client.callTool(CALL)).rejects.toThrow('no such file')
    expect(guard.events).toBe(2)
  })

  it('reports two sessions that share a guard, and guards neither', async () => {
    const guard = createGuard()
    const sessions = new Map<string, StreamableHTTPServerTransport>()
    const http = createServer(async (request, response) => {
      const known = sessions.get(`${request.headers['mcp-session-id']}`)
      if (known) return known.handleRequest(request, response)
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => `session-${sessions.size}`,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      })
      const server = guardServer(guard, new McpServer(INFO))
      register(server, (path) => `content of ${path}`)
      await server.connect(transport as never)
      await transport.handleRequest(request, response)
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
    const clients = [new Client(INFO), new Client(INFO)]
    for (const client of clients) {
      await client.connect(new StreamableHTTPClientTransport(url) as never)
    }
    const [one, two] = clients as [Client, Client]
    expect((await repeat(5, one)).at(-1)).toContain('"isError":true')
    await repeat(1, two)
    expect(await repeat(5, one)).toEqual(Array(5).fill(expect.stringContaining('content of a')))
    expect(guard.faults.map(({ error }) => String(error))).toEqual([
      expect.stringContaining('two runs at once'),
    ])
    for (const client of clients) await client.close()
    for (const transport of sessions.values()) await transport.close()
    http.closeAllConnections()
    http.close()
  })

  it('speaks the revision of 2026-07-28 too, where a call that asks the person is one call', async () => {
    const guard = createGuard()
    const seen: string[] = []
    const counting: Guard = Object.create(guard, {
      observe: {
        value: (event: Parameters<Guard['observe']>[0]) => {
          seen.push(event.type)
          return guard.observe(event)
        },
      },
    })
    const requestedSchema = { type: 'object' as const, properties: {} }
    const asked = inputRequired({
      inputRequests: { sure: inputRequired.elicit({ message: 'Sure?', requestedSchema }) },
    })
    // a server for each request, and one guard for them all
    const handler = createMcpHandler(() => {
      const server = guardServer(counting, new McpServerOf2(INFO))
      const inputSchema = z.object({ path: z.string() })
      server.registerTool('read_file', { inputSchema }, (_, { mcpReq }) =>
        mcpReq.inputResponses ? { content: [{ type: 'text', text: 'read' }] } : asked,
      )
      return server
    })
    const client = new ClientOf2(INFO, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { elicitation: {} },
    })
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }))
    await client.connect(
      new HttpOf2(new URL('http://127.0.0.1/mcp'), {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
      }),
    )
    const answers = await repeat(5, client)
    await client.close()
    await handler.close()
    expect(answers[2]).toContain('read')
    expect(answers[4]).toContain('"isError":true')
    expect(seen).toEqual(Array(5).fill(['tool-call', 'tool-result']).flat())
  })
})

describe('what tools say of themselves', () => {
  it('is what the guard is told', async () => {
    const server = new McpServer(INFO)
    const hints = {
      show: { readOnlyHint: true },
      save: { readOnlyHint: false },
      drop: { destructiveHint: true },
      bare: undefined,
    }
    for (const [name, annotations] of Object.entries(hints)) {
      server.registerTool(name, annotations ? { annotations } : {}, () => ({ content: [] }))
    }
    const [near, far] = InMemoryTransport.createLinkedPair()
    const client = new Client(INFO)
    await Promise.all([server.connect(far), client.connect(near)])
    const tools = toTools(await client.listTools())
    expect(tools).toEqual({
      show: { annotations: { readOnlyHint: true } },
      save: { annotations: { readOnlyHint: false } },
      drop: { annotations: { readOnlyHint: false } },
    })
    expect(createGuard({ tools }).faults).toEqual([])
  })
})

describe('with guards for all conversations', () => {
  const textOf = (result: unknown) => JSON.stringify(result)

  /** Half of the callers ask for the same file again and again; gives how often each tool ran. */
  async function askAll(callers: { tools: Caller; runs: string[] }[]) {
    const answers = await Promise.all(
      callers.map(async ({ tools }, at) => {
        const said: string[] = []
        for (let i = 0; i < SPEAKS_AT + 3; i++) {
          const path = at % 2 === 0 ? 'login.ts' : `part-${i}.ts`
          said.push(textOf(await tools.callTool({ name: 'read_file', arguments: { path } })))
        }
        return said
      }),
    )
    for (const [at, { runs }] of callers.entries()) {
      const isStuck = at % 2 === 0
      expect(runs).toHaveLength(isStuck ? SPEAKS_AT : SPEAKS_AT + 3)
      expect(answers[at]?.at(-1)?.includes('"isError":true')).toBe(isStuck)
    }
  }

  it('knows the sessions of a server apart', async () => {
    const guards = createGuards()
    const callers = Array.from({ length: 50 }, async (_, at) => {
      const runs: string[] = []
      const [near, far] = InMemoryTransport.createLinkedPair()
      far.sessionId = `session ${at}`
      const server = guardServer(guards, new McpServer(INFO))
      register(server, (path) => `content of ${runs.push(path) && path}`)
      const tools = new Client(INFO)
      await Promise.all([server.connect(far), tools.connect(near)])
      return { tools, runs }
    })
    await askAll(await Promise.all(callers))
    expect(guards.size).toBe(50)
    expect(guards.of('session 0').stopped).toBe(true)
    expect(guards.of('session 1').stopped).toBe(false)
  })

  it('knows the connections of clients apart', async () => {
    const guards = createGuards()
    const callers = Array.from({ length: 10 }, async () => {
      const runs: string[] = []
      const client = await connect((path) => `content of ${runs.push(path) && path}`)
      return { tools: guardClient(guards, client) as Caller, runs }
    })
    await askAll(await Promise.all(callers))
    expect(guards.size).toBe(10)
  })

  it('goes on with a session after a restart', async () => {
    const values = new Map<string, string>()
    const store: GuardStore = {
      get: async (key) => values.get(key),
      set: async (key, value) => values.set(key, value),
      delete: async (key) => values.delete(key),
    }
    const runs: string[] = []
    const said: string[] = []
    for (let i = 0; i < SPEAKS_AT + 1; i++) {
      const [near, far] = InMemoryTransport.createLinkedPair()
      far.sessionId = 'one'
      const server = guardServer(createGuards({ store }), new McpServer(INFO))
      register(server, (path) => `content of ${runs.push(path) && path}`)
      const client = new Client(INFO)
      await Promise.all([server.connect(far), client.connect(near)])
      said.push(textOf(await client.callTool({ name: 'read_file', arguments: { path: 'a' } })))
    }
    expect(runs).toHaveLength(SPEAKS_AT)
    expect(said.at(-1)).toContain('"isError":true')
  })
})
