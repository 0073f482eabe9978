import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { startProvider } from '@unloop/testing'
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import * as aiSdk from '../../src/adapters/ai-sdk/index.js'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'

type Given = Guard | Guards
type Fetch = typeof fetch

const openaiOf = (url: string) => ({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 })
const anthropicOf = (url: string) => ({ apiKey: 'none', baseURL: url, maxRetries: 0 })

/** What a program may put between two layers of the same guard, or in the place of one. */
const OPENAI: Record<string, (guard: Given, url: string) => OpenAI> = {
  'a function around a guarded fetch': (guard, url) => {
    const send: Fetch = (input, init) => openai.guardFetch(guard)(input, init)
    return openai.guardClient(guard, new OpenAI({ ...openaiOf(url), fetch: send }))
  },
  'an own fetch, given later': (guard, url) => {
    const client = openai.guardClient(guard, new OpenAI(openaiOf(url)))
    return client.withOptions({ fetch: (input, init) => fetch(input, init) })
  },
  'an own fetch, given later, and guarded again': (guard, url) => {
    const client = openai.guardClient(guard, new OpenAI(openaiOf(url)))
    const own: Fetch = (input, init) => fetch(input, init)
    return openai.guardClient(guard, client.withOptions({ fetch: own }))
  },
  'other options, given later': (guard, url) =>
    openai.guardClient(guard, new OpenAI(openaiOf(url))).withOptions({ timeout: 1000 }),
}

const ANTHROPIC: Record<string, (guard: Given, url: string) => Anthropic> = {
  'no middleware, given later': (guard, url) => {
    const client = anthropic.guardClient(guard, new Anthropic(anthropicOf(url)))
    return client.withOptions({ middleware: [] })
  },
  'own middleware, given later, and guarded again': (guard, url) => {
    const client = anthropic.guardClient(guard, new Anthropic(anthropicOf(url)))
    const middleware = [
      (request: Request, next: (request: Request) => Promise<Response>) => next(request),
    ]
    return anthropic.guardClient(guard, client.withOptions({ middleware: middleware as never }))
  },
}

const GUARDS: Record<string, () => Given> = { 'a guard': createGuard, guards: createGuards }
const KINDS = Object.keys(GUARDS)
const LOOP = () => ({ calls: [{ name: 'read_file', args: { path: 'a' } }] })

it.each(Object.keys(OPENAI).flatMap((name) => KINDS.map((kind) => [name, kind] as const)))(
  'openai, %s: %s ends a loop',
  async (name, kind) => {
    const provider = await startProvider(LOOP)
    const guard = GUARDS[kind]?.() as Given
    const client = OPENAI[name]?.(guard, provider.url) as OpenAI
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
    let text: string | null | undefined
    for (let turn = 0; turn < 9 && !text; turn++) {
      const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages })
      const { message } = choices[0] as OpenAI.ChatCompletion.Choice
      text = message.content
      messages.push(message)
      for (const { id } of message.tool_calls ?? [])
        messages.push({ role: 'tool', tool_call_id: id, content: 'content' })
    }
    await provider.close()
    expect(text).toMatch(/^Stopped: /)
    expect(provider.exchanges).toHaveLength(5)
    expect(guard.faults).toEqual([])
  },
)

it.each(Object.keys(ANTHROPIC).flatMap((name) => KINDS.map((kind) => [name, kind] as const)))(
  'anthropic, %s: %s ends a loop',
  async (name, kind) => {
    const provider = await startProvider(LOOP)
    const guard = GUARDS[kind]?.() as Given
    const client = ANTHROPIC[name]?.(guard, provider.url) as Anthropic
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'go' }]
    let text: string | undefined
    for (let turn = 0; turn < 9 && !text; turn++) {
      const request = { model: 'claude-sonnet-4-5', max_tokens: 100, messages }
      const { content } = await client.messages.create(request)
      messages.push({ role: 'assistant', content })
      for (const block of content) {
        if (block.type === 'text') text = block.text
        if (block.type !== 'tool_use') continue
        const result = { type: 'tool_result' as const, tool_use_id: block.id, content: 'content' }
        messages.push({ role: 'user', content: [result] })
      }
    }
    await provider.close()
    expect(text).toMatch(/^Stopped: /)
    expect(provider.exchanges).toHaveLength(5)
    expect(guard.faults).toEqual([])
  },
)

it.each(KINDS)('ai-sdk, a middleware that copies the prompt: %s ends a loop', async (kind) => {
  const provider = await startProvider(LOOP)
  const guard = GUARDS[kind]?.() as Given
  const copy = {
    specificationVersion: 'v3' as const,
    transformParams: async ({ params }: { params: { prompt: unknown[] } }) =>
      ({ ...params, prompt: [...params.prompt] }) as never,
  }
  const model = wrapLanguageModel({
    model: createOpenAI(openaiOf(provider.url)).chat('gpt-5'),
    middleware: [copy, aiSdk.guardMiddleware(guard)],
  })
  const inputSchema = z.object({ path: z.string() })
  const tools = { read_file: tool({ inputSchema, execute: () => 'content' }) }
  const options = aiSdk.guardRun(guard, { tools, stopWhen: stepCountIs(12) })
  const { text } = await generateText({ model, prompt: 'go', ...options })
  await provider.close()
  expect(text).toMatch(/^Stopped: /)
  expect(provider.exchanges).toHaveLength(5)
  expect(guard.faults).toEqual([])
})
