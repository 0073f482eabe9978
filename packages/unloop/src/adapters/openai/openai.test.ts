import { setMaxListeners } from 'node:events'
import { startProvider } from '@unloop/testing'
import OpenAI, { AzureOpenAI } from 'openai'
import { zodFunction } from 'openai/helpers/zod'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  listening,
  type Program,
  SPEAKS_AT,
  testAdapter,
  testTitles,
} from '../../../test/adapters/test-adapter.js'
import type { AgentEvent } from '../../event.js'
import { createGuard } from '../../guard.js'
import { guardClient, guardFetch, guardTools, refusal } from './index.js'

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
}
const read_file = { name: 'read_file', description: 'Reads a file.', parameters }

const optionsOf = ({ url }: Program) => ({
  apiKey: 'none',
  baseURL: `${url}/v1`,
  maxRetries: 0,
})

function clientOf(program: Program): OpenAI {
  const client = new OpenAI(optionsOf(program))
  return program.guard ? guardClient(program.guard, client) : client
}

const toolsOf = ({ readFile }: Program) => [
  {
    type: 'function' as const,
    function: {
      ...read_file,
      parse: (json: string) => JSON.parse(json) as { path: string },
      function: ({ path }: { path: string }) => readFile(path),
    },
  },
]

const MAX_TURNS = { maxChatCompletions: 30 }

testAdapter('openai, runTools', {
  streams: false,
  async run(program) {
    const runner = clientOf(program).chat.completions.runTools(
      {
        model: 'gpt-5',
        messages: [{ role: 'user', content: program.prompt }],
        tools: toolsOf(program),
      },
      { ...MAX_TURNS, signal: program.signal },
    )
    // the SDK listens to it anew with each request
    setMaxListeners(0, runner.controller.signal)
    return (await runner.finalContent()) ?? ''
  },
})

testAdapter('openai, runTools with a stream', {
  streams: true,
  async run(program) {
    const runner = clientOf(program).chat.completions.runTools(
      {
        model: 'gpt-5',
        stream: true,
        messages: [{ role: 'user', content: program.prompt }],
        tools: toolsOf(program),
      },
      { ...MAX_TURNS, signal: program.signal },
    )
    setMaxListeners(0, runner.controller.signal)
    const [text] = await Promise.all([runner.finalContent(), runner.done(), runner.finalMessage()])
    return text ?? ''
  },
})

testAdapter('openai, chat completions in a loop of its own', {
  streams: true,
  async run(program) {
    const { guard, prompt, signal, readFile } = program
    const client = new OpenAI({
      ...optionsOf(program),
      ...(guard && { fetch: guardFetch(guard) }),
    })
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
    for (let turn = 0; turn < 30; turn++) {
      const tools = [{ type: 'function' as const, function: read_file }]
      const stream = client.chat.completions.stream({ model: 'gpt-5', messages, tools }, { signal })
      const { message } = (await stream.finalChatCompletion()).choices[0] ?? {}
      if (!message?.tool_calls?.length) return message?.content ?? ''
      messages.push(message)
      for (const call of message.tool_calls) {
        const run = () => readFile(JSON.parse(call.function.arguments).path)
        const content = (guard && refusal(guard, call.id)) ?? run()
        messages.push({ role: 'tool', tool_call_id: call.id, content })
      }
    }
    return ''
  },
})

testTitles('openai, chat completions', (url, guard) => {
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${url}/v1` }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
  const tools = [{ type: 'function' as const, function: read_file }]
  return {
    async next() {
      const request = { model: 'gpt-5', messages: [...messages], tools }
      const { message } = (await client.chat.completions.create(request)).choices[0] ?? {}
      if (!message?.tool_calls) return message?.content ?? ''
      messages.push(message)
      for (const { id } of message.tool_calls)
        messages.push({ role: 'tool', tool_call_id: id, content: 'content' })
      return ''
    },
    async title() {
      const asked = [{ role: 'user' as const, content: 'A title for: go' }]
      const stream = client.chat.completions.stream({ model: 'gpt-5', messages: asked })
      return (await stream.finalContent()) ?? ''
    },
  }
})

/** Its text; in 5.0, the response of a stream has no `output_text`. */
const wordsOf = (output: readonly ResponseOutputItem[]) =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('')

testTitles('openai, Responses', (url, guard) => {
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${url}/v1` }))
  const input: ResponseInputItem[] = [{ role: 'user', content: 'go' }]
  const tools = [{ type: 'function' as const, strict: true, ...read_file }]
  return {
    async next() {
      const { output } = await client.responses.create({
        ...{ model: 'gpt-5', input: [...input], tools },
      })
      input.push(...(output as ResponseInputItem[]))
      for (const item of output)
        if (item.type === 'function_call')
          input.push({ type: 'function_call_output', call_id: item.call_id, output: 'content' })
      return wordsOf(output)
    },
    async title() {
      const request = { model: 'gpt-5', input: 'A title for: go' }
      return wordsOf((await client.responses.stream(request).finalResponse()).output)
    },
  }
})

for (const streams of [false, true]) {
  testAdapter(`openai, Responses ${streams ? 'with' : 'without'} a stream`, {
    streams,
    async run(program) {
      const { guard, prompt, signal, readFile } = program
      const client = clientOf(program)
      const input: ResponseInputItem[] = [{ role: 'user', content: prompt }]
      const tools = [{ type: 'function' as const, strict: true, ...read_file }]
      const request = { model: 'gpt-5', input, tools }
      for (let turn = 0; turn < 30; turn++) {
        const response = streams
          ? await client.responses.stream(request, { signal }).finalResponse()
          : await client.responses.create(request, { signal })
        const output: ResponseOutputItem[] = response.output
        const calls = output.filter((item) => item.type === 'function_call')
        if (calls.length === 0) return wordsOf(output)
        input.push(...(output as ResponseInputItem[]))
        for (const { call_id, arguments: json } of calls) {
          const run = () => readFile(JSON.parse(json).path)
          const output = (guard && refusal(guard, call_id)) ?? run()
          input.push({ type: 'function_call_output', call_id, output })
        }
      }
      return ''
    },
  })
}

it('gives the model the reason in place of an answer that it should not have got', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'a' } }],
  }))
  const guard = createGuard()
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
  let last: OpenAI.ChatCompletion | undefined
  // a program that asks nobody and runs what it is told to run
  for (let turn = 0; turn < 7; turn++) {
    last = await client.chat.completions.create({ model: 'gpt-5', messages })
    const { message } = last.choices[0] as OpenAI.ChatCompletion.Choice
    messages.push(message)
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: 'content' })
  }
  await provider.close()
  const { messages: sent } = (await provider.exchange(SPEAKS_AT + 1)).body as {
    messages: unknown[]
  }
  const refused = guard.findings.find(({ action }) => action === 'block')
  expect(sent).toContainEqual({
    role: 'tool',
    tool_call_id: `call_${SPEAKS_AT}_0`,
    content: refused?.advice,
  })
  expect(provider.exchanges).toHaveLength(SPEAKS_AT + 2)
  const times = `Stopped: read_file was called ${SPEAKS_AT + 1} times`
  expect(last?.choices[0]?.message.content).toContain(times)
})

it('goes on where the person says so', async () => {
  const provider = await startProvider((_, turn) =>
    turn < 6 ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'Done.' },
  )
  const guard = createGuard()
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
  let text: string | null | undefined
  for (let turn = 0; turn < 7; turn++) {
    if (guard.stopped) guard.continueOnce()
    const { message } = (await client.chat.completions.create({ model: 'gpt-5', messages }))
      .choices[0] as OpenAI.ChatCompletion.Choice
    text = message.content
    messages.push(message)
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: 'content' })
  }
  await provider.close()
  expect(text).toBe('Done.')
})

it('sends nothing with a guard that was stopped in another process, until the person decides', async () => {
  const provider = await startProvider([{ text: 'Done.' }])
  const stopped = createGuard()
  stopped.stop()
  const guard = createGuard({}, stopped.snapshot())
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const call = { id: 'a', type: 'function' as const, function: { name: 'read', arguments: '{}' } }
  const messages: ChatCompletionMessageParam[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: 'content' },
  ]
  const ask = async () =>
    (await client.chat.completions.create({ model: 'gpt-5', messages })).choices[0]?.message.content
  expect(await ask()).toBe('Stopped: the person ended the run.')
  const { response } = await client.chat.completions
    .create({ model: 'gpt-5', messages })
    .withResponse()
  expect(response.headers.get('x-unloop-outcome')).toBe('stopped')
  expect(provider.exchanges).toHaveLength(0)
  guard.continueOnce()
  expect(await ask()).toBe('Done.')
  await provider.close()
})

it('tells the model again what a request that failed should have told it', async () => {
  const guard = createGuard()
  let failures = 0
  const provider = await startProvider(() =>
    guard.findings.length === 1 && failures++ < 2
      ? { status: failures === 1 ? 429 : 400, headers: { 'retry-after-ms': '1' } }
      : { calls: [{ name: 'read_file', args: { path: 'a' } }] },
  )
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
  for (let turn = 0; turn < SPEAKS_AT + 2; turn++) {
    // the SDK tries again after the first failure, the program after the second
    const answer = await client.chat.completions
      .create({ model: 'gpt-5', messages })
      .catch(() => {})
    const { message } = answer?.choices[0] ?? {}
    if (!message) continue
    messages.push(message)
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: 'content' })
  }
  await provider.close()
  const advice = JSON.stringify(guard.findings[0]?.advice).slice(1, -1)
  const told = provider.exchanges.map(({ body }) => JSON.stringify(body).includes(advice))
  expect(told).toEqual([...Array(SPEAKS_AT).fill(false), true, true, true])
})

it('runs a call that nobody refused, whatever its arguments were parsed into', async () => {
  const provider = await startProvider((_, turn) => {
    const loop = { name: 'read_file', args: { path: 'a' } }
    const other = { name: 'read_file', args: { path: 'b' } }
    if (turn > SPEAKS_AT) return { text: 'Done.' }
    return { calls: turn < SPEAKS_AT ? [loop] : [loop, other] }
  })
  const guard = createGuard()
  const runs: string[] = []
  const tool = {
    type: 'function' as const,
    function: {
      ...read_file,
      parse: (json: string) => ({ encoding: 'utf8', ...JSON.parse(json) }),
      function: ({ path }: { path: string }) => {
        runs.push(path)
        return `content of ${path}`
      },
    },
  }
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const messages = [{ role: 'user' as const, content: 'go' }]
  const runner = client.chat.completions.runTools({ model: 'gpt-5', messages, tools: [tool] })
  expect(await runner.finalContent()).toBe('Done.')
  await provider.close()
  expect(runs).toContain('b')
})

it("refuses calls of a tool made by the SDK's helper, which is sent as it was", async () => {
  const runs: string[] = []
  const tool = zodFunction({
    name: 'read_file',
    parameters: z.object({ path: z.string() }),
    function: ({ path }) => {
      runs.push(path)
      return `content of ${path}`
    },
  })
  const sent: string[] = []
  for (const guard of [undefined, createGuard()]) {
    const provider = await startProvider((_, turn) =>
      turn <= SPEAKS_AT
        ? { calls: [{ name: 'read_file', args: { path: 'a' } }] }
        : { text: 'Done.' },
    )
    const plain = new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` })
    const client = guard ? guardClient(guard, plain) : plain
    const messages = [{ role: 'user' as const, content: 'go' }]
    const runner = client.chat.completions.runTools({ model: 'gpt-5', messages, tools: [tool] })
    expect(await runner.finalContent()).toBe('Done.')
    await provider.close()
    sent.push(JSON.stringify(provider.exchanges[0]?.body))
  }
  expect(sent[1]).toBe(sent[0])
  expect(JSON.stringify(guardTools(createGuard(), [tool]))).toBe(JSON.stringify([tool]))
  // all without us, and one less with
  expect(runs).toHaveLength(2 * SPEAKS_AT + 1)
})

it.each([false, true])('ends Responses as the provider would, streamed %s', async (isStreamed) => {
  const guard = createGuard()
  guard.stop()
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:1' }))
  const input = [{ type: 'function_call_output' as const, call_id: 'a', output: 'content' }]
  const request = { model: 'gpt-5', input, previous_response_id: 'resp_1' }
  let said = ''
  const response = isStreamed
    ? await client.responses
        .stream(request)
        .on('response.output_text.delta', ({ delta }) => {
          said += delta
        })
        .finalResponse()
    : await client.responses.create(request)
  expect(response).toMatchObject({
    id: 'resp_1',
    status: 'completed',
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    created_at: expect.any(Number),
  })
  expect(wordsOf(response.output)).toBe('Stopped: the person ended the run.')
  if (isStreamed) expect(said).toBe('Stopped: the person ended the run.')
})

it('answers who wants JSON with a refusal once the run has ended', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'a' } }],
  }))
  const guard = createGuard()
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
  const json_schema = { name: 'answer', schema: { type: 'object' } }
  let refused: string | null | undefined
  for (let turn = 0; turn < 7; turn++) {
    const { choices } = await client.chat.completions.parse({
      model: 'gpt-5',
      messages,
      response_format: { type: 'json_schema', json_schema },
    })
    const { message } = choices[0] as (typeof choices)[number]
    refused = message.refusal
    messages.push(message)
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: 'content' })
  }
  await provider.close()
  expect(refused).toContain('Stopped')
})

it('reads a stream whose words have separators of lines in them', async () => {
  const words = 'one\u2028two'
  const answer = `data: ${JSON.stringify({ choices: [{ delta: { content: words } }] })}\n\n`
  const guard = createGuard()
  const send = guardFetch(
    guard,
    async () => new Response(answer, { headers: { 'content-type': 'text/event-stream' } }),
  )
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'go' }] })
  const response = await send('https://x.test/v1/chat/completions', { body })
  expect(await response.text()).toBe(answer)
  expect(guard.faults).toEqual([])
})

it('counts an answer that breaks off, and is asked for again, once', async () => {
  const words =
    'Let me look at the handler of the login next, since the redirect loses the cookie there, and then compare it.'
  const provider = await startProvider((_, turn) =>
    turn < 1
      ? { calls: [{ name: 'read_file', args: { path: 'a' } }] }
      : { text: words, ...(turn < 7 && { fault: 'cut', after: 20 }) },
  )
  const guard = createGuard()
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
  const ask = () => client.chat.completions.stream({ model: 'gpt-5', messages }).finalMessage()
  const message = await ask()
  const [call] = message.tool_calls ?? []
  messages.push(message, { role: 'tool', tool_call_id: call?.id ?? '', content: 'content' })
  for (let turn = 0; turn < 6; turn++) await expect(ask()).rejects.toThrow()
  expect((await ask()).content).toBe(words)
  await provider.close()
  expect(guard.findings).toEqual([])
})

it('gives an answer to the program at once, and hears it when it is read', async () => {
  const { readable, writable } = new TransformStream<Uint8Array>()
  const events: AgentEvent[] = []
  const send = guardFetch(listening(events), async () => new Response(readable))
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'go' }] })
  const response: Response = await send('https://x.test/v1/chat/completions', { body })
  const answer = { choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }] }
  const said = response.json()
  const writer = writable.getWriter()
  await writer.write(new TextEncoder().encode(JSON.stringify(answer)))
  await writer.close()
  expect(await said).toEqual(answer)
  expect(events.map(({ type }) => type)).toEqual(['prompt', 'turn-start', 'text', 'turn-end'])
})

it.each(['cut', 'silence', 'malformed'] as const)(
  'leaves an answer without a stream that fails (%s) to the SDK',
  async (fault) => {
    const provider = await startProvider(() => ({ text: 'Done.', fault, after: 1 }))
    const guard = createGuard()
    const errors: string[] = []
    for (const isGuarded of [false, true]) {
      const abort = new AbortController()
      const plain = new OpenAI({
        apiKey: 'none',
        baseURL: `${provider.url}/v1`,
        async fetch(input, init) {
          const response = await fetch(input, init)
          if (fault === 'silence') setImmediate(() => abort.abort())
          return response
        },
      })
      const client = isGuarded ? guardClient(guard, plain) : plain
      const request = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'go' }] }
      const { signal } = abort
      errors.push(String(await client.chat.completions.create(request, { signal }).catch((e) => e)))
    }
    await provider.close()
    expect(errors[1]).toBe(errors[0])
    expect(guard.faults).toEqual([])
  },
)

it('takes no mistake of the provider for one of its own', async () => {
  const provider = await startProvider([{ text: 'Done with it.', fault: 'malformed' }])
  const guard = createGuard()
  const baseURL = `${provider.url}/v1`
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL, logLevel: 'off' }))
  const messages = [{ role: 'user' as const, content: 'go' }]
  const stream = client.chat.completions.stream({ model: 'gpt-5', messages })
  await expect(stream.finalMessage()).rejects.toThrow('JSON')
  await provider.close()
  expect(guard.faults).toEqual([])
})

it('stays stopped while the SDK asks again', async () => {
  const events: AgentEvent[] = []
  const guard = listening(events)
  const provider = await startProvider(() => {
    guard.stop()
    return { status: 503, headers: { 'retry-after-ms': '1' } }
  })
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const messages = [{ role: 'user' as const, content: 'go' }]
  const ask = async () =>
    (await client.chat.completions.create({ model: 'gpt-5', messages })).choices[0]?.message.content
  expect(await ask()).toContain('Stopped: ')
  expect(provider.exchanges).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'prompt')).toHaveLength(1)
  // the same words once more are new ones
  await expect(ask()).resolves.toContain('Stopped: ')
  expect(provider.exchanges).toHaveLength(2)
  await provider.close()
})

it('leaves a tool alone that asks the model itself', async () => {
  const provider = await startProvider(({ body }) =>
    body.tools ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'In short.' },
  )
  const guard = createGuard()
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const ask = (content: string) => ({
    model: 'gpt-5',
    messages: [{ role: 'user' as const, content }],
  })
  const tool = {
    type: 'function' as const,
    function: {
      ...read_file,
      parse: (json: string) => JSON.parse(json) as { path: string },
      function: async ({ path }: { path: string }) =>
        (await client.chat.completions.create(ask(`Sum up ${path}.`))).choices[0]?.message.content,
    },
  }
  const runner = client.chat.completions.runTools({ ...ask('go'), tools: [tool] }, MAX_TURNS)
  expect(await runner.finalContent()).toContain('Stopped: ')
  await provider.close()
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(guard.faults).toEqual([])
})

it('guards the clients that are made of a guarded one', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'a' } }],
  }))
  const guard = createGuard()
  const plain = new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` })
  const client = guardClient(guard, plain).withOptions({ maxRetries: 1 }).withOptions({})
  const runs: string[] = []
  const readFile = (path: string) => `${runs.push(path)}`.slice(1)
  const runner = client.chat.completions.runTools(
    {
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'go' }],
      tools: toolsOf({ readFile } as Program),
    },
    MAX_TURNS,
  )
  expect(await runner.finalContent()).toContain('Stopped: ')
  await provider.close()
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(runs).toHaveLength(SPEAKS_AT)
})

it("asks the deployment of Azure's client", async () => {
  const asked: string[] = []
  const client = new AzureOpenAI({
    apiKey: 'none',
    apiVersion: '2024-10-21',
    deployment: 'mine',
    endpoint: 'https://azure.test',
    fetch: async (input) => {
      asked.push(String(input))
      return Response.json({ choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }] })
    },
  })
  const request = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'go' }] }
  await client.chat.completions.create(request)
  await guardClient(createGuard(), client).chat.completions.create(request)
  expect(asked[0]).toContain('mine')
  expect(asked[1]).toBe(asked[0])
})

it('ends Responses in the middle of a thought with a message', async () => {
  const thought = 'I will check the configuration once again. '.repeat(2000)
  const provider = await startProvider([{ reasoning: thought }])
  const guard = createGuard()
  const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }))
  const { output } = await client.responses.stream({ model: 'gpt-5', input: 'go' }).finalResponse()
  await provider.close()
  expect(guard.findings.map(({ action }) => action)).toEqual(['cut'])
  // a thought alone cannot be sent back
  expect(output.map(({ type }) => type)).toEqual(['message'])
})

it.each([false, true])('keeps the address of an answer, streamed %s', async (stream) => {
  const provider = await startProvider([{ text: 'Done.' }])
  const baseURL = `${provider.url}/v1`
  const client = guardClient(createGuard(), new OpenAI({ apiKey: 'none', baseURL }))
  const messages = [{ role: 'user' as const, content: 'go' }]
  const request = { model: 'gpt-5', stream, messages }
  const response = await client.chat.completions.create(request).asResponse()
  await response.text()
  await provider.close()
  expect(response.url).toBe(`${baseURL}/chat/completions`)
})

it('passes characters on that come in two pieces, in the order of their bytes', async () => {
  const event = { choices: [{ index: 0, delta: { content: '世界 and é' } }] }
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`)
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  const headers = { 'content-type': 'text/event-stream' }
  const events: AgentEvent[] = []
  const send = guardFetch(listening(events), async () => new Response(body, { headers }))
  const request = JSON.stringify({ messages: [{ role: 'user', content: 'go' }], stream: true })
  const response = await send('https://x.test/v1/chat/completions', { body: request })
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  expect(events).toContainEqual({ type: 'text', text: '世界 and é' })
})
