import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { startProvider } from '@unloop/testing'
import * as v6 from 'ai'
import * as v5 from 'ai5'
import { createOpenAI as createOpenAI5 } from 'ai5-openai'
import * as v7 from 'ai7'
import { createOpenAI as createOpenAI7 } from 'ai7-openai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guardRun } from '../../src/adapters/ai-sdk/index.js'
import { createGuard, type Guard } from '../../src/guard.js'

// biome-ignore lint/suspicious/noExplicitAny: three versions of one SDK
type Any = any

const versions: Record<string, Any> = {
  5: { ...v5, createOpenAI: createOpenAI5 },
  6: { ...v6, createOpenAI },
  7: { ...v7, createOpenAI: createOpenAI7, stepCountIs: v7.isStepCount },
}

const inputSchema = z.object({ path: z.string() })
const READ = { calls: [{ name: 'read_file', args: { path: 'a' } }] }

// how often a chat may ask before somebody else has to end it
const PATIENCE = 12

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A route of a program: the messages of a chat in, a stream of a UI message out. */
async function serve(handle: (body: Any) => Promise<Response>) {
  const requests: Any[] = []
  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    if (requests.push(body) > PATIENCE) return response.writeHead(429).end()
    const { status, headers, body: stream } = await handle(body)
    response.writeHead(status, Object.fromEntries(headers))
    for await (const chunk of stream as Any) response.write(chunk)
    response.end()
  }
  const server = createServer((message, response) => void answer(message, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`, requests }
}

/** What `useChat` is made of, with a state that nobody renders. */
function chatOf(sdk: Any, options: Any): Any {
  const messages: Any[] = []
  const state = {
    status: 'ready',
    error: undefined,
    messages,
    pushMessage: (message: Any) => messages.push(message),
    popMessage: () => messages.pop(),
    replaceMessage: (index: number, message: Any) => messages.splice(index, 1, message),
    snapshot: structuredClone,
  }
  class Chat extends (sdk.AbstractChat as new (options: Any) => object) {}
  return new Chat({
    sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithToolCalls,
    state,
    ...options,
  })
}

/** A server whose model calls the same tool for ever, and a chat with it. */
async function start(sdk: Any, guardOf: () => Guard, tool: object, options = (_: Any) => ({})) {
  const provider = await startProvider(() => READ)
  closing.push(provider.close)
  const model = sdk.createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat('gpt-5')
  const { api, requests } = await serve(async ({ messages }) => {
    const tools = { read_file: sdk.tool({ inputSchema, ...tool }) }
    const result = sdk.streamText({
      model,
      messages: await sdk.convertToModelMessages(messages),
      ...guardRun(guardOf(), { tools, stopWhen: sdk.stepCountIs(20) }),
    })
    return result.toUIMessageStreamResponse()
  })
  const transport = new sdk.DefaultChatTransport({ api })
  const chat: Any = chatOf(sdk, { transport, ...options(() => chat) })
  return { chat, requests, provider }
}

/** What the person reads last. */
const lastText = ({ messages }: Any): string =>
  messages
    .at(-1)
    .parts.map(({ type, text }: Any) => (type === 'text' ? text : ''))
    .join('')

for (const [version, sdk] of Object.entries(versions)) {
  describe(`a chat of ai-sdk ${version} that sends by itself`, () => {
    it.each(['one for the chat', 'one for each request'])(
      'ends with words that tell what happened, with a guard, %s',
      async (which) => {
        const guard = createGuard()
        const { chat, requests, provider } = await start(
          sdk,
          () => (which === 'one for the chat' ? guard : createGuard()),
          { execute: () => 'content' },
        )
        await chat.sendMessage({ text: 'Why does the login fail?' })
        expect(chat.error).toBeUndefined()
        expect(requests).toHaveLength(1)
        expect(provider.exchanges.length).toBeLessThanOrEqual(6)
        expect(lastText(chat)).toMatch(/^Stopped: read_file was called \d+ times/)
      },
    )

    it('ends where the tools are run by the chat', async () => {
      const guard = createGuard()
      const { chat, requests, provider } = await start(
        sdk,
        () => guard,
        {},
        (own) => ({
          onToolCall({ toolCall: { toolCallId, toolName: tool } }: Any) {
            const answer = { tool, toolCallId, output: 'content' }
            if (own().addToolOutput) own().addToolOutput(answer)
            else own().addToolResult(answer)
          },
        }),
      )
      await chat.sendMessage({ text: 'Why does the login fail?' })
      await expect.poll(() => lastText(chat)).toMatch(/^Stopped: read_file was called \d+ times/)
      await expect.poll(() => chat.status).toBe('ready')
      expect(chat.error).toBeUndefined()
      expect(requests.length).toBeLessThanOrEqual(7)
      expect(provider.exchanges.length).toBeLessThanOrEqual(6)
    })
  })
}
