import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { type CallableTool, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as google from '../../src/adapters/google/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import type { Guards } from '../../src/host/guards.js'
import { testConversations } from './test-conversations.js'

const parameters = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
  additionalProperties: false,
}
const read_file = { name: 'read_file', description: 'Reads a file.', parameters }

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

for (const refers of [false, true]) {
  testConversations(`openai, Responses ${refers ? 'that refer to the one before' : 'in full'}`, {
    serve(url, guards) {
      const client = openaiOf(url, guards)
      return async (prompt, readFile) => {
        let input: ResponseInputItem[] = [{ role: 'user', content: prompt }]
        let previous_response_id: string | undefined
        const tools = [{ type: 'function' as const, strict: true, ...read_file }]
        for (;;) {
          const request = { model: 'gpt-5', input, tools, ...(refers && { previous_response_id }) }
          const response = await client.responses.stream(request as never).finalResponse()
          const calls = response.output.filter((item) => item.type === 'function_call')
          if (calls.length === 0) return response.output_text
          if (!refers) input.push(...(response.output as ResponseInputItem[]))
          else input = []
          previous_response_id = response.id
          for (const { call_id, arguments: json } of calls) {
            const output =
              openai.refusal(guards, call_id) ?? (await readFile(JSON.parse(json).path))
            input.push({ type: 'function_call_output', call_id, output })
          }
        }
      }
    },
  })
}

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
          messages: [{ role: 'user' as const, content: prompt }],
          tools: [tool],
        }
        const texts: string[] = []
        const textOf = ({ content }: Anthropic.Beta.BetaMessage) =>
          content.map((part) => (part.type === 'text' ? part.text : '')).join('')
        if (!stream) return textOf(await client.beta.messages.toolRunner(params))
        for await (const one of client.beta.messages.toolRunner({ ...params, stream: true }))
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
