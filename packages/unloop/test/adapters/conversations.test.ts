import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { type CallableTool, GoogleGenAI } from '@google/genai'
import { startProvider } from '@unloop/testing'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { expect, it } from 'vitest'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as google from '../../src/adapters/google/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import { createGuard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import { testConversations } from './test-conversations.js'

const parameters = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
  additionalProperties: false,
}
const read_file = { name: 'read_file', description: 'Reads a file.', parameters }

const responseTools = [{ type: 'function' as const, strict: true, ...read_file }]

const openaiOf = (url: string, guards: Guards) =>
  openai.guardClient(guards, new OpenAI({ apiKey: 'none', baseURL: `${url}/v1` }))

testConversations('openai, chat completions', {
  serve(url, guards) {
    const client = openaiOf(url, guards)
    return async (prompt, readFile) => {
      const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
      const tools = [{ type: 'function' as const, function: read_file }]
      for (;;) {
        const { choices } = await client.chat.completions.create({
          model: 'gpt-5',
          messages,
          tools,
        })
        const message = choices[0]?.message
        if (!message?.tool_calls?.length) return message?.content ?? ''
        messages.push(message)
        for (const call of message.tool_calls) {
          if (call.type !== 'function') continue
          const { path } = JSON.parse(call.function.arguments)
          const content = openai.refusal(guards, call.id) ?? (await readFile(path))
          messages.push({ role: 'tool', tool_call_id: call.id, content })
        }
      }
    }
  },
})

testConversations('openai, runTools with a stream', {
  serve(url, guards) {
    const client = openaiOf(url, guards)
    return async (prompt, readFile) => {
      const runner = client.chat.completions.runTools({
        model: 'gpt-5',
        stream: true,
        messages: [{ role: 'user', content: prompt }],
        tools: [
          {
            type: 'function',
            function: {
              ...read_file,
              parse: (json: string) => JSON.parse(json) as { path: string },
              function: ({ path }: { path: string }) => readFile(path),
            },
          },
        ],
      })
      return (await runner.finalContent()) ?? ''
    }
  },
})

testConversations('openai, Responses', {
  serve(url, guards) {
    const client = openaiOf(url, guards)
    return async (prompt, readFile) => {
      const input: ResponseInputItem[] = [{ role: 'user', content: prompt }]
      for (;;) {
        const request = { model: 'gpt-5', input, tools: responseTools }
        const response = await client.responses.stream(request).finalResponse()
        const calls = response.output.filter((item) => item.type === 'function_call')
        if (calls.length === 0) return response.output_text
        input.push(...(response.output as ResponseInputItem[]))
        for (const { call_id, arguments: json } of calls) {
          const output = openai.refusal(guards, call_id) ?? (await readFile(JSON.parse(json).path))
          input.push({ type: 'function_call_output', call_id, output })
        }
      }
    }
  },
})

it('openai, Responses that refer to the one before, finds the loop of each', async () => {
  const loop = { calls: [{ name: 'read_file', args: { path: 'x.ts' } }] }
  const provider = await startProvider(() => loop)
  const guards = createGuards()
  const client = openaiOf(provider.url, guards)
  const talk = async () => {
    let input: ResponseInputItem[] = [{ role: 'user', content: 'go' }]
    let previous_response_id: string | undefined
    let reads = 0
    for (;;) {
      const response = await client.responses.create({
        model: 'gpt-5',
        input,
        tools: responseTools,
        ...(previous_response_id && { previous_response_id }),
      })
      const calls = response.output.filter((item) => item.type === 'function_call')
      if (calls.length === 0) return { text: response.output_text, reads }
      previous_response_id = response.id
      input = calls.map(({ call_id }) => {
        const output = openai.refusal(guards, call_id) ?? `content ${++reads > 0}`
        return { type: 'function_call_output', call_id, output }
      })
    }
  }
  const told = await Promise.all(Array.from({ length: 12 }, talk))
  await provider.close()
  for (const { text, reads } of told) {
    expect(text).toMatch(/^Stopped: read_file was called/)
    expect(reads).toBeLessThanOrEqual(4)
  }
})

for (const stream of [false, true]) {
  testConversations(`anthropic, tool runner, ${stream ? 'streamed' : 'whole'}`, {
    serve(url, guards) {
      const client = anthropic.guardClient(
        guards,
        new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 }),
      )
      return async (prompt, readFile) => {
        const tool = betaTool({
          name: 'read_file',
          description: 'Reads a file.',
          inputSchema: parameters,
          run: (input) => readFile((input as { path: string }).path),
        })
        const params = {
          model: 'claude-opus-5',
          max_tokens: 100,
          max_iterations: 20,
          messages: [{ role: 'user' as const, content: prompt }],
          tools: [tool],
        }
        const texts: string[] = []
        const textOf = ({ content }: Anthropic.Beta.BetaMessage) =>
          content.map((part) => (part.type === 'text' ? part.text : '')).join('')
        if (!stream)
          return textOf(await client.beta.messages.toolRunner({ ...params, thread: false }))
        for await (const one of client.beta.messages.toolRunner({
          ...params,
          stream: true,
          thread: false,
        }))
          texts.push(textOf(await one.finalMessage()))
        return texts.at(-1) ?? ''
      }
    },
  })
}

testConversations('google, automatic function calling', {
  serve(url, guards) {
    const client = google.guardClient(
      guards,
      new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } }),
    )
    return async (prompt, readFile) => {
      const tool: CallableTool = {
        tool: async () => ({
          functionDeclarations: [{ name: 'read_file', parametersJsonSchema: parameters }],
        }),
        callTool: async (calls) =>
          Promise.all(
            calls.map(async ({ id, name, args }) => ({
              functionResponse: {
                ...(id !== undefined && { id }),
                name: name ?? '',
                response: { output: await readFile(String(args?.path)) },
              },
            })),
          ),
      }
      const response = await client.models.generateContent({
        model: 'gemini-3-pro',
        contents: prompt,
        config: { tools: [tool], automaticFunctionCalling: { maximumRemoteCalls: 30 } },
      })
      return response.text ?? ''
    }
  },
})

it('notices that users share a guard, however long the pauses between their requests are', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'a.ts' } }],
  }))
  const faults: string[] = []
  const guard = createGuard({ onFault: ({ error }) => faults.push(String(error)) })
  const client = openai.guardClient(
    guard,
    new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }),
  )
  const users = Array.from({ length: 7 }, () => [
    { role: 'user', content: 'Read a.ts' },
  ]) as ChatCompletionMessageParam[][]
  const answers: string[] = []
  // one after the other, so that no two requests ever overlap
  for (let turn = 0; turn < 4; turn++) {
    for (const messages of users) {
      const tools = [{ type: 'function' as const, function: read_file }]
      const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages, tools })
      const message = choices[0]?.message as OpenAI.ChatCompletionMessage
      answers.push(message.content ?? '')
      messages.push(message)
      for (const { id } of message.tool_calls ?? [])
        messages.push({ role: 'tool', tool_call_id: id, content: 'content of a.ts' })
    }
  }
  await provider.close()
  expect(answers.filter((text) => text.startsWith('Stopped'))).toEqual([])
  expect(faults).toEqual([
    expect.stringContaining('createGuards() gives each conversation its own'),
  ])
})

it('goes on from the messages alone: a new guard for every request refuses and stops as one would', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'a.ts' } }],
  }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read a.ts' }]
  let last = ''
  let reads = 0
  const read = () => {
    reads++
    return 'content of a.ts'
  }
  for (let turn = 0; turn < 12 && !last; turn++) {
    const guard = createGuard()
    const client = openai.guardClient(
      guard,
      new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }),
    )
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages })
    const message = choices[0]?.message as OpenAI.ChatCompletionMessage
    last = message.content ?? ''
    messages.push(message)
    for (const { id } of message.tool_calls ?? []) {
      const content = openai.refusal(guard, id) ?? read()
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
  }
  await provider.close()
  expect(last).toMatch(/^Stopped: read_file was called/)
  expect(reads).toBeLessThanOrEqual(4)
})

it('is not disturbed by titles and classifiers that go through the same client', async () => {
  const provider = await startProvider(({ body }) => {
    const text = JSON.stringify(body)
    if (text.includes('title')) return { text: 'A bug' }
    const path = `part-${text.match(/content of /g)?.length ?? 0}.ts`
    return text.includes('work') && path === 'part-6.ts'
      ? { text: 'Done.' }
      : { calls: [{ name: 'read_file', args: { path: text.includes('work') ? path : 'a.ts' } }] }
  })
  for (const hasTools of [true, false]) {
    const guard = createGuard()
    const client = openai.guardClient(
      guard,
      new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }),
    )
    const tools = hasTools ? { tools: [{ type: 'function' as const, function: read_file }] } : {}
    const title = () =>
      client.chat.completions.create({
        model: 'gpt-5-mini',
        messages: [{ role: 'user', content: 'Give this chat a title' }],
      })
    const messages: ChatCompletionMessageParam[] = []
    const texts: string[] = []
    for (const prompt of ['work: where is the bug?', 'work: and now?', 'loop: read it']) {
      await title()
      messages.push({ role: 'user', content: prompt })
      if (prompt.startsWith('loop')) messages.splice(0, messages.length - 1)
      for (let turn = 0; turn < 12; turn++) {
        const request = { model: 'gpt-5', messages, ...tools }
        const { choices } = await client.chat.completions.create(request)
        const message = choices[0]?.message as OpenAI.ChatCompletionMessage
        messages.push(message)
        if (turn === 1) await title()
        if (!message.tool_calls) {
          texts.push(message.content ?? '')
          break
        }
        for (const call of message.tool_calls) {
          if (call.type !== 'function') continue
          const { path } = JSON.parse(call.function.arguments)
          const content = openai.refusal(guard, call.id) ?? `content of ${path}`
          messages.push({ role: 'tool', tool_call_id: call.id, content })
        }
      }
      await title()
    }
    expect(texts).toEqual(['Done.', 'Done.', expect.stringMatching(/^Stopped: read_file/)])
    expect(guard.faults).toEqual([])
  }
  await provider.close()
})

it('keeps conversations apart whose calls and ids are the same', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'log.txt' } }],
  }))
  const guards = createGuards()
  const client = openaiOf(provider.url, guards)
  const talks = [0, 1].map(() => [{ role: 'user', content: 'Watch it' }]) as [
    ChatCompletionMessageParam[],
    ChatCompletionMessageParam[],
  ]
  const last = ['', '']
  const tools = [{ type: 'function' as const, function: read_file }]
  for (let turn = 0; turn < 10; turn++) {
    for (const [user, messages] of talks.entries()) {
      const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages, tools })
      const message = choices[0]?.message as OpenAI.ChatCompletionMessage
      last[user] = message.content ?? ''
      // a server that numbers the calls of each conversation
      const id = `call_${turn}`
      messages.push({
        ...message,
        tool_calls: message.tool_calls?.map((call) => ({ ...call, id })),
      } as never)
      if (!message.tool_calls) continue
      const word = [
        'apple',
        'pear',
        'plum',
        'fig',
        'date',
        'lime',
        'kiwi',
        'lemon',
        'mango',
        'melon',
      ]
      const content = user === 0 ? `order ${word[turn]} received` : 'nothing'
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
  }
  await provider.close()
  expect(last[0]).toBe('')
  expect(last[1]).toMatch(/^Stopped/)
})

it('watches a second agent with tools of its own, after the first has finished', async () => {
  const provider = await startProvider(({ body }) =>
    JSON.stringify(body).includes('first')
      ? { text: 'Done.' }
      : { calls: [{ name: 'list_mails', args: {} }] },
  )
  const guard = createGuard()
  const client = openai.guardClient(
    guard,
    new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }),
  )
  const ask = async (messages: ChatCompletionMessageParam[], name: string) => {
    const tools = [{ type: 'function' as const, function: { ...read_file, name } }]
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages, tools })
    return choices[0]?.message as OpenAI.ChatCompletionMessage
  }
  await ask([{ role: 'user', content: 'first: hello' }], 'read_file')
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Any news?' }]
  let last = ''
  for (let turn = 0; turn < 12 && !last; turn++) {
    const message = await ask(messages, 'list_mails')
    last = message.content ?? ''
    messages.push(message)
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: 'no mails' })
  }
  await provider.close()
  expect(last).toMatch(/^Stopped: list_mails was called/)
})
