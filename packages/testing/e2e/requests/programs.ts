// Programs with a real SDK each: they say something to the model, run the command that it asks for, and go on until it only talks.
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, type Part } from '@google/genai'
import type { Answer, Body } from '@unloop/testing'
import OpenAI from 'openai'
import { type Model, startTape, type Take } from './tape.js'

/** The answer of a tool: words, or a picture as the data of a PNG. */
export type Output = string | { picture: string }

/** What a program does besides passing calls and answers on. */
export interface Harness {
  system?: string
  prompts: string[]
  /** what the only tool, `run`, answers to its n-th call */
  output(command: string, at: number): Output
  /** words of the program after the answers of the n-th round */
  refrain?(round: number): string
  /** what the program says when the model only talks, the n-th time; nothing ends the run */
  nudge?(at: number): string | undefined
  /** Changes what was said so far before it is sent, as a program that runs out of room does. */
  // biome-ignore lint/suspicious/noExplicitAny: histories of four protocols
  edit?(history: any[]): any[]
}

/** A program that converses with the provider at this address. */
export type Program = (url: string, harness: Harness) => Promise<void>

/** Runs a program against a model, and gives what it sent. */
export async function runProgram(
  program: Program,
  model: Model,
  harness: Harness,
  aside?: (body: Body) => Answer,
): Promise<Take[]> {
  const tape = await startTape(model, aside)
  try {
    await program(tape.url, harness)
  } finally {
    await tape.close()
  }
  return tape.takes
}

const SCHEMA = {
  type: 'object' as const,
  properties: { command: { type: 'string' as const } },
  required: ['command'],
}

interface Turn {
  calls: { id: string; command: string }[]
}

/** Converses: says each prompt, and asks until the model only talks and the harness has nothing to add. */
async function converse(
  { prompts, output, refrain, nudge }: Harness,
  say: (text: string) => void,
  ask: () => Promise<Turn>,
  tell: (id: string, output: Output) => void,
): Promise<void> {
  let [calls, rounds, nudges] = [0, 0, 0]
  for (const prompt of prompts) {
    say(prompt)
    for (;;) {
      const turn = await ask()
      for (const { id, command } of turn.calls) tell(id, output(command, calls++))
      const more = turn.calls.length > 0 ? refrain?.(rounds++) : nudge?.(nudges++)
      if (more !== undefined) say(more)
      else if (turn.calls.length === 0) break
    }
  }
}

const commandIn = (json: string): string => JSON.parse(json).command

export const openaiChat: Program = async (url, harness) => {
  const { system, edit = (history) => history } = harness
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x' })
  const history: OpenAI.ChatCompletionMessageParam[] = []
  if (system !== undefined) history.push({ role: 'system', content: system })
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: 'function', function: { name: 'run', parameters: SCHEMA } },
  ]
  const later: OpenAI.ChatCompletionMessageParam[] = []
  await converse(
    harness,
    (content) => void history.push({ role: 'user', content }),
    async () => {
      history.push(...later.splice(0))
      const { choices } = await client.chat.completions.create({
        model: 'gpt-5',
        messages: edit(history),
        tools,
      })
      const message = choices[0]?.message
      if (!message) throw new Error('there is no message')
      history.push(message)
      return {
        calls: (message.tool_calls ?? []).flatMap((call) =>
          call.type === 'function'
            ? [{ id: call.id, command: commandIn(call.function.arguments) }]
            : [],
        ),
      }
    },
    (tool_call_id, output) => {
      if (typeof output === 'string') history.push({ role: 'tool', tool_call_id, content: output })
      else {
        // tools cannot answer with pictures here, so the person seems to send it
        history.push({ role: 'tool', tool_call_id, content: 'The picture is in the next message.' })
        const url = `data:image/png;base64,${output.picture}`
        later.push({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })
      }
    },
  )
}

/** Sends all of the input each time, or only what is new with the id of the answer before. */
const responses =
  (isById: boolean): Program =>
  async (url, harness) => {
    const { system, edit = (history) => history } = harness
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x' })
    let input: OpenAI.Responses.ResponseInputItem[] = []
    let last: string | undefined
    await converse(
      harness,
      (content) => void input.push({ role: 'user', content }),
      async () => {
        const response = await client.responses.create({
          model: 'gpt-5',
          input: edit(input),
          tools: [{ type: 'function', name: 'run', parameters: SCHEMA, strict: false }],
          ...(system !== undefined && { instructions: system }),
          ...(isById ? last !== undefined && { previous_response_id: last } : { store: false }),
        })
        last = response.id
        input = isById
          ? []
          : [...input, ...(response.output as OpenAI.Responses.ResponseInputItem[])]
        return {
          calls: response.output.flatMap((item) =>
            item.type === 'function_call'
              ? [{ id: item.call_id, command: commandIn(item.arguments) }]
              : [],
          ),
        }
      },
      (call_id, output) =>
        void input.push({
          type: 'function_call_output',
          call_id,
          output:
            typeof output === 'string'
              ? output
              : [
                  {
                    type: 'input_image',
                    image_url: `data:image/png;base64,${output.picture}`,
                    detail: 'auto',
                  },
                ],
        }),
    )
  }

export const openaiResponses = responses(false)
export const openaiThread = responses(true)

export const anthropicMessages: Program = async (url, harness) => {
  const { system, edit = (history) => history } = harness
  const client = new Anthropic({ baseURL: url, apiKey: 'x' })
  const history: Anthropic.MessageParam[] = []
  let news: Anthropic.ContentBlockParam[] = []
  await converse(
    harness,
    (text) => void news.push({ type: 'text', text }),
    async () => {
      // answers of tools and words of the person are one message
      history.push({ role: 'user', content: news })
      news = []
      const { content } = await client.messages.create({
        model: 'claude-opus-4-6',
        max_tokens: 1000,
        messages: edit(history),
        tools: [{ name: 'run', input_schema: SCHEMA }],
        ...(system !== undefined && { system }),
      })
      history.push({ role: 'assistant', content })
      return {
        calls: content.flatMap((block) =>
          block.type === 'tool_use'
            ? [{ id: block.id, command: (block.input as { command: string }).command }]
            : [],
        ),
      }
    },
    (tool_use_id, output) =>
      void news.push({
        type: 'tool_result',
        tool_use_id,
        content:
          typeof output === 'string'
            ? output
            : [
                {
                  type: 'image',
                  source: { type: 'base64', media_type: 'image/png', data: output.picture },
                },
              ],
      }),
  )
}

export const googleContents: Program = async (url, harness) => {
  const { system, edit = (history) => history } = harness
  const client = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: url } })
  const history: Content[] = []
  let news: Part[] = []
  await converse(
    harness,
    (text) => void news.push({ text }),
    async () => {
      history.push({ role: 'user', parts: news })
      news = []
      const { candidates } = await client.models.generateContent({
        model: 'gemini-2.5-pro',
        contents: edit(history),
        config: {
          tools: [{ functionDeclarations: [{ name: 'run', parametersJsonSchema: SCHEMA }] }],
          ...(system !== undefined && { systemInstruction: system }),
        },
      })
      const parts = candidates?.[0]?.content?.parts ?? []
      history.push({ role: 'model', parts })
      return {
        calls: parts.flatMap(({ functionCall }) =>
          functionCall ? [{ id: '', command: String(functionCall.args?.command) }] : [],
        ),
      }
    },
    (_, output) =>
      void news.push(
        typeof output === 'string'
          ? { functionResponse: { name: 'run', response: { output } } }
          : {
              functionResponse: {
                name: 'run',
                response: { output: 'A picture.' },
                parts: [{ inlineData: { mimeType: 'image/png', data: output.picture } }],
              },
            },
      ),
  )
}
