// Programs with an SDK each, all of its defaults on: they say something to the model, run the tool that it asks for, and give its last words.
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, type Part } from '@google/genai'
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'

/** A conversation with the model; its history survives an error. */
export interface Talker {
  say(text: string): Promise<string>
}

/** What the only tool, `look`, answers. */
export type Look = (path: string) => string

type Make = (url: string, look: Look) => Talker

interface Turn {
  text: string
  calls: { id: string; path: string }[]
}

const ABOUT = 'Reads a file.'
const SCHEMA = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}

export const talkers: Record<string, Make> = {
  'openai, chat completions': chat((client, body) =>
    client.chat.completions.create(body).then(({ choices }) => choices[0]?.message),
  ),
  'openai, chat completions streamed': chat((client, body) =>
    client.chat.completions.stream(body).finalMessage(),
  ),
  'openai, responses with all of the input': responses(false, false),
  'openai, responses with all of the input, streamed': responses(true, false),
  'openai, responses with an id': responses(false, true),
  'openai, responses with an id, streamed': responses(true, true),
  'anthropic, messages': messages((client, body) => client.messages.create(body)),
  'anthropic, messages streamed': messages((client, body) =>
    client.messages.stream(body).finalMessage(),
  ),
  'google, generateContent': contents(async ({ models }, body) => {
    const { candidates } = await models.generateContent(body)
    return candidates?.[0]?.content?.parts ?? []
  }),
  'google, generateContentStream': contents(async ({ models }, body) => {
    const parts: Part[] = []
    for await (const { candidates } of await models.generateContentStream(body))
      parts.push(...(candidates?.[0]?.content?.parts ?? []))
    return joined(parts)
  }),
  'ai, generateText': aiSdk('responses', false),
  'ai, streamText': aiSdk('responses', true),
  'ai, generateText with chat completions': aiSdk('chat', false),
  'ai, streamText with chat completions': aiSdk('chat', true),
}

/** Asks until the model makes no more calls. */
async function converse(
  ask: () => Promise<Turn>,
  tell: (id: string, output: string) => void,
  look: Look,
): Promise<string> {
  for (;;) {
    const { text, calls } = await ask()
    if (calls.length === 0) return text
    for (const { id, path } of calls) tell(id, look(path))
  }
}

type ChatBody = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>

function chat(
  send: (client: OpenAI, body: ChatBody) => Promise<OpenAI.ChatCompletionMessage | undefined>,
): Make {
  return (url, look) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x' })
    const history: OpenAI.ChatCompletionMessageParam[] = []
    const tools: OpenAI.ChatCompletionTool[] = [
      { type: 'function', function: { name: 'look', description: ABOUT, parameters: SCHEMA } },
    ]
    async function ask(): Promise<Turn> {
      const message = await send(client, { model: 'gpt-5', messages: history, tools })
      if (!message) throw new Error('there is no message')
      history.push(message)
      const calls = (message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function' ? [{ id: call.id, path: pathIn(call.function.arguments) }] : [],
      )
      return { text: message.content ?? '', calls }
    }
    const tell = (tool_call_id: string, content: string) =>
      void history.push({ role: 'tool', tool_call_id, content })
    return {
      say(content) {
        history.push({ role: 'user', content })
        return converse(ask, tell, look)
      },
    }
  }
}

function responses(isStream: boolean, isById: boolean): Make {
  return (url, look) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x' })
    let input: OpenAI.Responses.ResponseInputItem[] = []
    let last: string | null = null
    async function ask(): Promise<Turn> {
      const body = {
        model: 'gpt-5',
        input,
        tools: [
          {
            type: 'function' as const,
            name: 'look',
            description: ABOUT,
            parameters: SCHEMA,
            strict: null,
          },
        ],
        ...(isById && last !== null && { previous_response_id: last }),
      }
      const response = isStream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body)
      last = response.id
      input = isById ? [] : [...input, ...(response.output as OpenAI.Responses.ResponseInputItem[])]
      const calls = response.output.flatMap((item) =>
        item.type === 'function_call' ? [{ id: item.call_id, path: pathIn(item.arguments) }] : [],
      )
      return { text: response.output_text, calls }
    }
    const tell = (call_id: string, output: string) =>
      void input.push({ type: 'function_call_output', call_id, output })
    return {
      say(content) {
        input.push({ role: 'user', content })
        return converse(ask, tell, look)
      },
    }
  }
}

function messages(
  send: (
    client: Anthropic,
    body: Anthropic.MessageCreateParamsNonStreaming,
  ) => Promise<Anthropic.Message>,
): Make {
  return (url, look) => {
    const client = new Anthropic({ baseURL: url, apiKey: 'x' })
    const history: Anthropic.MessageParam[] = []
    let news: Anthropic.ContentBlockParam[] = []
    async function ask(): Promise<Turn> {
      // answers of tools and words of the person are one message
      if (news.length > 0) history.push({ role: 'user', content: news })
      news = []
      const message = await send(client, {
        model: 'claude-opus-4-6',
        max_tokens: 1000,
        messages: history,
        tools: [{ name: 'look', description: ABOUT, input_schema: SCHEMA }],
      }).catch((error: unknown) => {
        news = (history.pop()?.content ?? []) as Anthropic.ContentBlockParam[]
        throw error
      })
      history.push({ role: 'assistant', content: message.content })
      const calls = message.content.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ id: block.id, path: (block.input as { path: string }).path }]
          : [],
      )
      const text = message.content.map((block) => (block.type === 'text' ? block.text : ''))
      return { text: text.join(''), calls }
    }
    const tell = (tool_use_id: string, content: string) =>
      void news.push({ type: 'tool_result', tool_use_id, content })
    return {
      say(text) {
        news.push({ type: 'text', text })
        return converse(ask, tell, look)
      },
    }
  }
}

type Contents = Parameters<GoogleGenAI['models']['generateContent']>[0]

function contents(send: (client: GoogleGenAI, body: Contents) => Promise<Part[]>): Make {
  return (url, look) => {
    const client = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: url } })
    const history: Content[] = []
    let news: Part[] = []
    async function ask(): Promise<Turn> {
      const declaration = { name: 'look', description: ABOUT, parametersJsonSchema: SCHEMA }
      const asked: Content[] = [...history, { role: 'user', parts: news }]
      const parts = await send(client, {
        model: 'gemini-2.5-pro',
        contents: asked,
        config: { tools: [{ functionDeclarations: [declaration] }] },
      })
      news = []
      history.splice(0, history.length, ...asked, { role: 'model', parts })
      const calls = parts.flatMap(({ functionCall }) =>
        functionCall ? [{ id: functionCall.id ?? '', path: String(functionCall.args?.path) }] : [],
      )
      const words = parts.map(({ text = '', thought }) => (thought ? '' : text))
      return { text: words.join(''), calls }
    }
    const tell = (id: string, output: string) =>
      void news.push({ functionResponse: { id, name: 'look', response: { output } } })
    return {
      say(text) {
        news.push({ text })
        return converse(ask, tell, look)
      },
    }
  }
}

/** The pieces of a text as one, without thoughts. */
function joined(parts: readonly Part[]): Part[] {
  const spoken = parts.filter(({ thought }) => !thought)
  const text = spoken.map((part) => part.text ?? '').join('')
  return [...(text ? [{ text }] : []), ...spoken.filter((part) => part.text === undefined)]
}

function aiSdk(api: 'chat' | 'responses', isStream: boolean): Make {
  return (url, look) => {
    const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'x' })
    const history: ModelMessage[] = []
    return {
      async say(content) {
        history.push({ role: 'user', content })
        let done: ModelMessage[] = []
        const options = {
          model: api === 'chat' ? provider.chat('gpt-4.1') : provider('gpt-4.1'),
          messages: [...history],
          tools: {
            look: tool({
              description: ABOUT,
              inputSchema: z.object({ path: z.string() }),
              execute: ({ path }) => look(path),
            }),
          },
          stopWhen: stepCountIs(50),
          onStepFinish({ response }: { response: { messages: ModelMessage[] } }) {
            done = response.messages
          },
        }
        try {
          if (!isStream) return (await generateText(options)).text
          let failed: unknown
          const result = streamText({
            ...options,
            onError({ error }) {
              failed = error
            },
          })
          await result.consumeStream()
          if (failed) throw failed
          return await result.text
        } finally {
          history.push(...done)
        }
      },
    }
  }
}

const pathIn = (json: string): string => JSON.parse(json).path
