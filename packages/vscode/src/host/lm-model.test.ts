import { type Message, ModelError, type ModelEvent } from '@unloop/agent'
import { describe, expect, it } from 'vitest'
import { createLmModel, type LmApi } from './lm-model.js'

// the models of the editor belong to a subscription, so their place is taken here by one that answers from a script
class TextPart {
  value: string
  constructor(value: string) {
    this.value = value
  }
}
class CallPart {
  callId: string
  name: string
  input: object
  constructor(callId: string, name: string, input: object) {
    this.callId = callId
    this.name = name
    this.input = input
  }
}
class ResultPart {
  callId: string
  content: unknown[]
  constructor(callId: string, content: unknown[]) {
    this.callId = callId
    this.content = content
  }
}
class Source {
  token = { isCancellationRequested: false }
  cancel() {
    this.token.isCancellationRequested = true
  }
  dispose() {}
}
const said = (role: string) => (content: unknown) => ({ role, content })

type Asked = { messages: unknown[]; options: { tools?: unknown[] }; token: Source['token'] }

function editorWith(answer: (asked: Asked) => AsyncIterable<unknown>, families = ['gpt-4o']) {
  const asked: Asked[] = []
  const chats = families.map((family) => ({
    ...{ name: 'GPT-4o', vendor: 'copilot', family, maxInputTokens: 64_000 },
    async sendRequest(messages: unknown[], options: Asked['options'], token: Source['token']) {
      asked.push({ messages, options, token })
      return { stream: answer({ messages, options, token }) }
    },
  }))
  const api = {
    lm: {
      selectChatModels: async ({ family }: { family: string }) =>
        chats.filter((chat) => chat.family === family),
    },
    LanguageModelChatMessage: { User: said('user'), Assistant: said('assistant') },
    ...{ LanguageModelTextPart: TextPart, LanguageModelToolCallPart: CallPart },
    ...{ LanguageModelToolResultPart: ResultPart, CancellationTokenSource: Source },
  }
  return { api: api as unknown as LmApi, asked }
}

async function ask(api: LmApi, messages: Message[] = [], signal = new AbortController().signal) {
  const model = await createLmModel(api, 'copilot/gpt-4o')
  const tools = [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }]
  const events: ModelEvent[] = []
  for await (const event of model.stream({ system: 'Be brief.', messages, tools }, signal)) {
    events.push(event)
  }
  return events
}

describe('a model of the editor', () => {
  it('is asked with the conversation and the tools, and streams text and calls', async () => {
    const { api, asked } = editorWith(async function* () {
      yield new TextPart('Let me ')
      yield new TextPart('look.')
      yield { of: 'another kind' }
      yield new CallPart('c1', 'read', { path: 'a' })
    })
    const result = { type: 'tool-result', id: 'c0', name: 'read', output: 'one' } as const
    const events = await ask(api, [
      { role: 'user', content: 'What is there?' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', id: 'c0', name: 'read', args: { path: 'b' } },
        ],
      },
      { role: 'tool', content: [{ ...result, isError: false, outcome: 'done' }] },
    ])
    expect(events).toEqual([
      { type: 'text', text: 'Let me ' },
      { type: 'text', text: 'look.' },
      { type: 'tool-call', id: 'c1', name: 'read', args: { path: 'a' } },
      { type: 'finish', reason: 'tool-calls' },
    ])
    expect(asked[0]?.messages).toEqual([
      { role: 'user', content: 'Be brief.' },
      { role: 'user', content: 'What is there?' },
      {
        role: 'assistant',
        content: [new TextPart('I look.'), new CallPart('c0', 'read', { path: 'b' })],
      },
      { role: 'user', content: [new ResultPart('c0', [new TextPart('one')])] },
    ])
    expect(asked[0]?.options.tools).toEqual([
      { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } },
    ])
  })

  it('is told when the person stops it', async () => {
    const stop = new AbortController()
    const { api, asked } = editorWith(async function* () {
      yield new TextPart('one')
      stop.abort()
      yield new TextPart('two')
    })
    const error = await ask(api, [], stop.signal).catch((thrown) => thrown)
    expect(error).toBe(stop.signal.reason)
    expect(asked[0]?.token.isCancellationRequested).toBe(true)
  })

  it.each([
    ['NoPermissions', 'refused', /may not use GPT-4o/],
    ['Blocked', 'refused', /refused the request: no quota/],
    ['NotFound', 'refused', /no longer has the model/],
    [undefined, 'network', /failed: no quota/],
  ])('says what is wrong in words: %s', async (code, kind, words) => {
    const { api } = editorWith(async function* () {
      yield new TextPart('')
      throw Object.assign(new Error('no quota'), { code })
    })
    const error = await ask(api).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) })
    expect(error.advice).not.toBe('')
  })

  it('that is not there is a matter of configuration', async () => {
    const { api } = editorWith(async function* () {}, [])
    await expect(createLmModel(api, 'gpt-4o')).rejects.toMatchObject({
      ...{ kind: 'configuration', message: 'the editor has no model gpt-4o' },
    })
  })
})
