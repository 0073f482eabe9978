import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CallableTool,
  type Content,
  type FunctionCall,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai'
import { type Provider, type Script, startProvider } from '@unloop/testing'
import {
  type GenerateContentParameters as GenerateContentParameters1,
  GoogleGenAI as GoogleGenAI1,
} from 'genai1'
import { afterEach, expect, it } from 'vitest'
import {
  listening,
  type Program,
  SPEAKS_AT,
  testAdapter,
  testTitles,
} from '../../../test/adapters/test-adapter.js'
import type { AgentEvent } from '../../event.js'
import { createGuard, type Guard } from '../../guard.js'
import { createGuards } from '../../host/guards.js'
import { guardClient, refusal } from './index.js'

const model = 'gemini-3-pro'
const functionDeclarations = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parametersJsonSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
]

const optionsOf = (url: string) => ({ apiKey: 'none', httpOptions: { baseUrl: url } })

function clientOf({ url, guard }: { url: string; guard: Guard | undefined }): GoogleGenAI {
  const client = new GoogleGenAI(optionsOf(url))
  return guard ? guardClient(guard, client) : client
}

type Run = (path: string) => string

const toAnswer = (call: FunctionCall, run: Run): Part => ({
  functionResponse: {
    ...(call.id !== undefined && { id: call.id }),
    name: 'read_file',
    response: { output: run(`${call.args?.path}`) },
  },
})

const readerOf = (run: Run): CallableTool => ({
  tool: async () => ({ functionDeclarations }),
  callTool: async (calls) => calls.map((call) => toAnswer(call, run)),
})

const afcOf = ({ prompt, signal, readFile }: Program) => ({
  model,
  contents: prompt,
  config: {
    abortSignal: signal,
    tools: [readerOf(readFile)],
    automaticFunctionCalling: { maximumRemoteCalls: 30 },
  },
})

const partsOf = ({ candidates }: GenerateContentResponse): Part[] =>
  candidates?.[0]?.content?.parts ?? []

const textOf = (parts: Part[]) => parts.map(({ text = '' }) => text).join('')

async function collect(stream: AsyncIterable<GenerateContentResponse>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const chunk of stream) parts.push(...partsOf(chunk))
  return parts
}

testAdapter('google, automatic function calling', {
  streams: false,
  async run(program) {
    const response = await clientOf(program).models.generateContent(afcOf(program))
    return textOf(partsOf(response))
  },
})

testAdapter('google, automatic function calling with a stream', {
  streams: true,
  async run(program) {
    const stream = await clientOf(program).models.generateContentStream(afcOf(program))
    return textOf(await collect(stream))
  },
})

testAdapter('google, automatic function calling of version 1', {
  streams: true,
  async run(program) {
    const client = new GoogleGenAI1(optionsOf(program.url))
    const { models } = program.guard ? guardClient(program.guard, client) : client
    const request = afcOf(program) as GenerateContentParameters1
    const parts: Part[] = []
    for await (const { candidates } of await models.generateContentStream(request))
      parts.push(...((candidates?.[0]?.content?.parts ?? []) as Part[]))
    return textOf(parts)
  },
})

for (const streams of [false, true]) {
  testAdapter(`google, a chat ${streams ? 'with' : 'without'} a stream in a loop of its own`, {
    streams,
    async run(program) {
      const { guard, prompt, signal, readFile } = program
      const config = { abortSignal: signal, tools: [{ functionDeclarations }] }
      const chat = clientOf(program).chats.create({ model, config })
      let message: string | Part[] = prompt
      for (let turn = 0; turn < 30; turn++) {
        const parts: Part[] = streams
          ? await collect(await chat.sendMessageStream({ message }))
          : partsOf(await chat.sendMessage({ message }))
        const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
        if (calls.length === 0) return textOf(parts)
        message = calls.map((call) =>
          toAnswer(call, (path) => (guard && refusal(guard, call)) ?? readFile(path)),
        )
      }
      return ''
    },
  })
}

for (const streams of [false, true]) {
  testTitles(`google, streamed ${streams}`, (url, guard) => {
    const { models } = clientOf({ url, guard })
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'go' }] }]
    const ask = async (request: Pick<GenerateContentParameters, 'contents' | 'config'>) => {
      const whole = { model, ...request }
      return streams
        ? collect(await models.generateContentStream(whole))
        : partsOf(await models.generateContent(whole))
    }
    return {
      async next() {
        const config = { tools: [{ functionDeclarations }] }
        const parts = await ask({ contents: [...contents], config })
        const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
        const answers = calls.map((call) => toAnswer(call, () => 'content'))
        contents.push({ role: 'model', parts }, { role: 'user', parts: answers })
        return textOf(parts)
      },
      title: async () => textOf(await ask({ contents: 'A title for: go' })),
    }
  })
}

let provider: Provider | undefined
afterEach(async () => {
  await provider?.close()
  provider = undefined
})

async function start(script: Script, guard = createGuard()) {
  provider = await startProvider(script)
  const { url, exchanges } = provider
  const contentsOf = (turn: number) => exchanges.at(turn)?.body.contents as Content[]
  return { guard, client: clientOf({ url, guard }), contentsOf }
}

it('knows the calls of a model that gives them no ids', async () => {
  const { guard, client, contentsOf } = await start(() => ({
    calls: [
      { id: '', name: 'read_file', args: { path: 'a' } },
      { id: '', name: 'read_file', args: { path: 'b' } },
    ],
  }))
  let text = ''
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'go' }] }]
  // a program that asks nobody and runs what it is told to run
  for (let turn = 0; turn < 8; turn++) {
    const response = await client.models.generateContent({ model, contents })
    const parts = partsOf(response)
    contents.push({ role: 'model', parts })
    text = textOf(parts)
    if (text) break
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    const answers = calls.map((call) => toAnswer(call, (path) => `content of ${path}`))
    contents.push({ role: 'user', parts: answers })
  }
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(guard.faults).toEqual([])
  const refused = guard.findings.find(({ action }) => action === 'block')
  const answers = contentsOf(-1)
    .flatMap(({ parts = [] }) => parts)
    .flatMap(({ functionResponse }) =>
      functionResponse?.response ? [functionResponse.response] : [],
    )
  // each answer stands where its own call stands
  expect(answers.filter(({ error }) => error === refused?.advice)).not.toEqual([])
  for (const [at, { output }] of answers.entries()) {
    expect([`content of ${at % 2 ? 'b' : 'a'}`, undefined]).toContain(output)
  }
  expect(text).toContain('Stopped: ')
})

it('answers a refused call among others in its place', async () => {
  const { guard, client, contentsOf } = await start((_, turn) => {
    const a = { name: 'read_file', args: { path: 'a' } }
    if (turn < SPEAKS_AT) return { calls: [a] }
    return turn === SPEAKS_AT
      ? { calls: [a, { name: 'read_file', args: { path: 'b' } }] }
      : { text: 'Done.' }
  })
  const ran: string[] = []
  const read = readerOf((path) => {
    ran.push(path)
    return `content of ${path}`
  })
  const { text } = await client.models.generateContent({
    model,
    contents: 'go',
    config: { tools: [read] },
  })
  expect(text).toBe('Done.')
  expect(ran).toEqual([...Array(SPEAKS_AT).fill('a'), 'b'])
  const refused = guard.findings.find(({ action }) => action === 'block')
  const answers = contentsOf(-1)
    .at(-1)
    ?.parts?.map((part) => part.functionResponse)
  expect(answers).toEqual([
    { id: `call_${SPEAKS_AT}_0`, name: 'read_file', response: { error: refused?.advice } },
    { id: `call_${SPEAKS_AT}_1`, name: 'read_file', response: { output: 'content of b' } },
  ])
})

it.each([
  ['alone', []],
  ['beside a call that may run', [{ name: 'read_file', args: { path: 'b' } }]],
  ['beside another one of its kind', [{ name: 'find', args: { text: 'b' } }]],
])('answers a refused call of a tool that nobody declares, %s', async (_, others) => {
  const { guard, client, contentsOf } = await start((_, turn) => {
    const grep = { name: 'grep', args: { text: 'a' } }
    if (turn < SPEAKS_AT) return { calls: [grep] }
    return turn === SPEAKS_AT ? { calls: [grep, ...others] } : { text: 'Done.' }
  })
  const ran: string[] = []
  const toOutput = ({ id, name = '' }: FunctionCall): Part => {
    ran.push(name)
    return { functionResponse: { ...(id && { id }), name, response: { output: 'no such tool' } } }
  }
  const reader: CallableTool = {
    tool: async () => ({ functionDeclarations }),
    callTool: async (calls) => calls.map(toOutput),
  }
  const quiet: CallableTool = {
    tool: async () => ({ functionDeclarations: [{ name: 'write_file' }] }),
    callTool: async () => [],
  }
  const config = { tools: [reader, quiet] }
  const { text } = await client.models.generateContent({ model, contents: 'go', config })
  expect(text).toBe('Done.')
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block'])
  const refused = guard.findings.find(({ action }) => action === 'block')
  const names = others.map(({ name }) => name)
  expect(ran).toEqual([...Array(SPEAKS_AT).fill('grep'), ...names])
  const answers = contentsOf(-1).at(-1)?.parts
  expect(answers?.map((part) => part.functionResponse?.name)).toEqual(['grep', ...names])
  expect(answers?.[0]?.functionResponse?.response).toEqual({ error: refused?.advice })
})

it('hears a call whose arguments come in pieces', async () => {
  const chunks = [
    { name: 'read_file', willContinue: true },
    { partialArgs: [{ jsonPath: '$.path', stringValue: 'src/' }], willContinue: true },
    { partialArgs: [{ jsonPath: '$.path', stringValue: 'a.ts' }], willContinue: true },
    { partialArgs: [{ jsonPath: '$.lines', numberValue: 3 }], willContinue: true },
    { partialArgs: [{ jsonPath: '$.from', nullValue: 'NULL_VALUE' }], willContinue: true },
    {},
  ].map((functionCall) => ({ candidates: [{ content: { parts: [{ functionCall }] } }] }))
  const answer = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')
  const events: AgentEvent[] = []
  const headers = { 'content-type': 'text/event-stream' }
  const server = createServer((_, response) => response.writeHead(200, headers).end(answer))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { models } = clientOf({ url, guard: listening(events) })
  await collect(await models.generateContentStream({ model, contents: 'go' }))
  server.closeAllConnections()
  server.close()
  expect(events.filter(({ type }) => type === 'tool-call')).toMatchObject([
    { name: 'read_file', args: { path: 'src/a.ts', lines: 3, from: null } },
  ])
})

it('takes a stream that nobody reads any more for over', async () => {
  const events: AgentEvent[] = []
  const { guard, client } = await start(
    () => ({ text: 'Let me look. ', calls: [{ name: 'read_file', args: { path: 'a' } }] }),
    listening(events),
  )
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'go' }] }]
  for (let turn = 0; turn < 8; turn++) {
    const stream = await client.models.generateContentStream({ model, contents })
    for await (const chunk of stream) {
      const parts = partsOf(chunk)
      contents.push({ role: 'model', parts })
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
      if (calls.length === 0) continue
      contents.push({ role: 'user', parts: calls.map((call) => toAnswer(call, () => 'content')) })
      break
    }
  }
  expect(guard.faults).toEqual([])
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  const turns = events.map(({ type }) => type).filter((type) => type.startsWith('turn-'))
  expect(turns.slice(0, 4)).toEqual(['turn-start', 'turn-end', 'turn-start', 'turn-end'])
})

it('writes the history where the SDK writes it', async () => {
  const script: Script = [
    { calls: [{ name: 'read_file', args: { path: 'a' } }] },
    { text: 'Done.' },
  ]
  const { client } = await start(script)
  const request = { model, contents: 'go' as unknown, config: { tools: [readerOf(() => 'x')] } }
  await collect(await client.models.generateContentStream(request as never))
  expect(request.contents).toHaveLength(4)
})

it('reports two runs at once through one client', async () => {
  const { guard, client } = await start(({ body }) =>
    JSON.stringify(body.contents).length < 2000
      ? { calls: [{ name: 'read_file', args: { path: 'a' } }], pauseMs: 2 }
      : { text: 'Done.' },
  )
  const config = {
    tools: [readerOf(() => 'content of a file that is not short')],
    automaticFunctionCalling: { maximumRemoteCalls: 40 },
  }
  const answers = await Promise.all(
    ['Why?', 'Where?'].map((contents) =>
      client.models.generateContent({ model, contents, config }),
    ),
  )
  expect(answers.map(({ text }) => text)).toEqual(['Done.', 'Done.'])
  expect(String(guard.faults[0]?.error)).toContain('two runs at once')
})

it('gives back a client that it does not know how to guard', () => {
  const guard = createGuard()
  const client = { models: {}, chats: {} }
  expect(guardClient(guard, client)).toBe(client)
  expect(guard.faults).toHaveLength(1)
})

it('pairs calls without ids with their answers, also with a client for each request', async () => {
  const server = await startProvider(() => ({
    calls: [{ id: '', name: 'read_file', args: { path: 'a' } }],
  }))
  const guard = createGuard()
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'go' }] }]
  for (let turn = 0; turn < 6; turn++) {
    const client = clientOf({ url: server.url, guard })
    const { candidates } = await client.models.generateContent({ model, contents })
    const parts = candidates?.[0]?.content?.parts ?? []
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    contents.push({ role: 'model', parts })
    contents.push({ role: 'user', parts: calls.map((call) => toAnswer(call, () => 'content')) })
  }
  await server.close()
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(guard.faults).toEqual([])
})

it.each([
  ['the calls and the answers', 'one guard', createGuard],
  ['the calls and the answers', 'the guards of a server', createGuards],
  ['the answers', 'one guard', createGuard],
  ['the answers', 'the guards of a server', createGuards],
])(
  'pairs calls without ids where the client gives ids to %s, with %s',
  async (given, _, create) => {
    const server = await startProvider(() => ({
      calls: ['a', 'b'].map((path) => ({ id: '', name: 'read_file', args: { path } })),
    }))
    const client = guardClient(create(), new GoogleGenAI(optionsOf(server.url)))
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'go' }] }]
    const texts: string[] = []
    for (let turn = 0; turn < 9; turn++) {
      const response = await client.models.generateContent({ model, contents })
      const parts = partsOf(response)
      texts.push(parts.map(({ text = '' }) => text).join(''))
      const calls = parts.flatMap(({ functionCall }, at) =>
        functionCall ? { ...functionCall, id: `read_file_${turn}_${at}` } : [],
      )
      const isOfCalls = given !== 'the answers'
      const said = isOfCalls ? calls.map((functionCall) => ({ functionCall })) : parts
      contents.push({ role: 'model', parts: said })
      contents.push({ role: 'user', parts: calls.map((call) => toAnswer(call, () => 'content')) })
      if (calls.length === 0) break
    }
    const sent = JSON.stringify(server.exchanges.map(({ body }) => body))
    await server.close()
    expect(sent).toContain('"error":"You have made this exact call')
    expect(texts.at(-1)).toContain('Stopped: ')
  },
)

it('counts an answer that breaks off, and is asked for again, once', async () => {
  const { guard, client } = await start((_, turn) =>
    turn < 1
      ? { calls: [{ name: 'read_file', args: { path: 'a' } }] }
      : { text: WORDS, ...(turn < 7 && { fault: 'cut', after: 20 }) },
  )
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'go' }] }]
  const ask = async () => collect(await client.models.generateContentStream({ model, contents }))
  const [call = {}] = await ask()
  contents.push({ role: 'model', parts: [call] })
  const answer = toAnswer(call.functionCall ?? {}, (path) => `content of ${path}`)
  contents.push({ role: 'user', parts: [answer] })
  for (let turn = 0; turn < 6; turn++) await expect(ask()).rejects.toThrow()
  expect(textOf(await ask())).toBe(WORDS)
  expect(guard.findings).toEqual([])
})

const WORDS =
  'Let me look at the handler of the login next, since the redirect loses the cookie there, and then compare it.'

it('leaves a tool alone that asks the model itself', async () => {
  const { guard, client } = await start(({ body }) =>
    body.tools ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'In short.' },
  )
  const sumUp = async (path: string) =>
    (await client.models.generateContent({ model, contents: `Sum up ${path}.` })).text ?? ''
  const tool: CallableTool = {
    tool: async () => ({ functionDeclarations }),
    callTool: async ([call = {}]) => {
      const output = await sumUp(`${call.args?.path}`)
      return [toAnswer(call, () => output)]
    },
  }
  const config = { tools: [tool], automaticFunctionCalling: { maximumRemoteCalls: 30 } }
  const { text } = await client.models.generateContent({ model, contents: 'go', config })
  expect(text).toContain('Stopped: ')
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(guard.faults).toEqual([])
})

it('guards a client once, however often it is asked to', async () => {
  const events: AgentEvent[] = []
  const { guard, client } = await start([{ text: 'Done.' }], listening(events))
  await guardClient(guard, client).models.generateContent({ model, contents: 'go' })
  expect(events.filter(({ type }) => type === 'turn-start')).toHaveLength(1)
  expect(guard.faults).toEqual([])
})
