import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, OpenAIProvider, Runner, setTraceProcessors } from '@openai/agents'
import { streamText } from 'ai'
import OpenAI from 'openai'
import type { Guard } from 'unloop'
import { guardRun } from 'unloop/ai-sdk'
import { guardClient as guardAnthropic } from 'unloop/anthropic'
import { guardClient as guardGoogle } from 'unloop/google'
import { guardModel } from 'unloop/langchain'
import { guardClient as guardOpenAI } from 'unloop/openai'
import { guardRunner } from 'unloop/openai-agents'

/** Streams one answer in pieces of text through an SDK, and through its adapter if there is a guard. */
export type Stream = (url: string, guard?: Guard) => AsyncIterable<string>

const apiKey = 'none'
// traces are created, as in real programs, but not sent anywhere
setTraceProcessors([])
const prompt = 'Tell me a long story.'
const messages = [{ role: 'user' as const, content: prompt }]

function openai(url: string, guard: Guard | undefined): OpenAI {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1` })
  return guard ? guardOpenAI(guard, client) : client
}

export const sdks: Record<string, Stream> = {
  async *'ai-sdk'(url, guard) {
    const model = createOpenAI({ apiKey, baseURL: `${url}/v1` })('gpt-5')
    const { textStream } = streamText({
      ...(guard ? guardRun(guard, { tools: {} }) : {}),
      model,
      prompt,
    })
    yield* textStream
  },

  async *'openai, chat completions'(url, guard) {
    const { completions } = openai(url, guard).chat
    for await (const { choices } of await completions.create({
      model: 'gpt-5',
      messages,
      stream: true,
    })) {
      const text = choices[0]?.delta.content
      if (text) yield text
    }
  },

  async *'openai, Responses'(url, guard) {
    const { responses } = openai(url, guard)
    for await (const event of await responses.create({
      model: 'gpt-5',
      input: prompt,
      stream: true,
    })) {
      if (event.type === 'response.output_text.delta') yield event.delta
    }
  },

  async *anthropic(url, guard) {
    const plain = new Anthropic({ apiKey, baseURL: url })
    const client = guard ? guardAnthropic(guard, plain) : plain
    for await (const event of await client.messages.create({
      model: 'claude-sonnet-5',
      max_tokens: 100_000,
      messages,
      stream: true,
    })) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        yield event.delta.text
    }
  },

  async *google(url, guard) {
    const plain = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
    const client = guard ? guardGoogle(guard, plain) : plain
    const stream = await client.models.generateContentStream({
      model: 'gemini-3-pro',
      contents: prompt,
    })
    for await (const { text } of stream) if (text) yield text
  },

  async *langchain(url, guard) {
    const plain = new ChatOpenAI({
      model: 'gpt-5',
      apiKey,
      configuration: { baseURL: `${url}/v1` },
    })
    const model = guard ? guardModel(guard, plain) : plain
    for await (const { text } of await model.stream(prompt)) if (text) yield text
  },

  async *'openai-agents'(url, guard) {
    const modelProvider = new OpenAIProvider({ apiKey, baseURL: `${url}/v1` })
    const plain = new Runner({ modelProvider })
    const runner = guard ? guardRunner(guard, plain) : plain
    const agent = new Agent({ name: 'teller', model: 'gpt-5' })
    const result = await runner.run(agent, prompt, { stream: true })
    yield* result.toTextStream()
    await result.completed
  },
}
