import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { type CallableTool, GoogleGenAI } from '@google/genai'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, tool as agentTool, OpenAIProvider, Runner } from '@openai/agents'
import { type Script, startProvider } from '@unloop/testing'
import { tool as aiTool, generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai'
import { createAgent, createMiddleware, tool as langchainTool } from 'langchain'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as aiSdk from '../../src/adapters/ai-sdk/index.js'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as google from '../../src/adapters/google/index.js'
import * as langchain from '../../src/adapters/langchain/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import * as agents from '../../src/adapters/openai-agents/index.js'
import type { AgentEvent } from '../../src/event.js'
import type { Finding } from '../../src/finding.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import { outcomeOf } from '../../src/host/run.js'
import { listening, SPEAKS_AT } from './test-adapter.js'

type Given = Guard | Guards
type Read = (path: string) => string

/** A program that is guarded as often as there are guards, the first of them innermost. */
type Program = (url: string, given: readonly Given[], read: Read) => Promise<string | undefined>

// biome-ignore lint/suspicious/noExplicitAny: options of one SDK, generic over the tools
type Any = any

const parameters = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
  additionalProperties: false,
}
const read_file = { name: 'read_file', description: 'Reads a file.', parameters }
const schema = z.object({ path: z.string() })

const layers = <Value>(
  given: readonly Given[],
  value: Value,
  wrap: (guard: Given, value: Value) => Value,
): Value => given.reduce((inner, guard) => wrap(guard, inner), value)

const optionsOf = (url: string) => ({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 })

async function runOpenAI(client: OpenAI, read: Read, guards: readonly Given[] = []) {
  const tool = {
    type: 'function' as const,
    function: {
      ...read_file,
      parse: (json: string) => JSON.parse(json) as { path: string },
      function: ({ path }: { path: string }) => read(path),
    },
  }
  const runner = client.chat.completions.runTools(
    {
      model: 'gpt-5',
      stream: true,
      messages: [{ role: 'user', content: 'go' }],
      tools: layers(guards, [tool], (guard, tools) => openai.guardTools(guard, tools)),
    },
    { maxChatCompletions: 20 },
  )
  return (await runner.finalContent()) ?? ''
}

async function runAnthropic(client: Anthropic, read: Read, guards: readonly Given[] = []) {
  const tool = betaTool({
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: parameters,
    run: (input) => read((input as { path: string }).path),
  })
  const { content } = await client.beta.messages.toolRunner({
    model: 'claude-opus-5',
    max_tokens: 100,
    max_iterations: 20,
    messages: [{ role: 'user', content: 'go' }],
    tools: layers(guards, [tool], (guard, tools) => anthropic.guardTools(guard, tools)),
  })
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

async function runGoogle(client: GoogleGenAI, read: Read) {
  const tool: CallableTool = {
    tool: async () => ({
      functionDeclarations: [{ name: 'read_file', parametersJsonSchema: parameters }],
    }),
    callTool: async (calls) =>
      calls.map(({ id = '', name = '', args }) => ({
        functionResponse: { id, name, response: { output: read(String(args?.path)) } },
      })),
  }
  const response = await client.models.generateContent({
    model: 'gemini-3-pro',
    contents: 'go',
    config: { tools: [tool], automaticFunctionCalling: { maximumRemoteCalls: 20 } },
  })
  return response.text
}

const modelOf = (url: string) => createOpenAI(optionsOf(url)).chat('gpt-5')

const aiTools = (read: Read) => ({
  read_file: aiTool({ inputSchema: schema, execute: ({ path }) => read(path) }),
})

const wrapped = (url: string, given: readonly Given[]) =>
  layers(given, modelOf(url), (guard, model) =>
    wrapLanguageModel({ model, middleware: aiSdk.guardMiddleware(guard) }),
  )

const stopWhen = stepCountIs(20)

const PROGRAMS: Record<string, Program> = {
  'openai, guardClient': (url, given, read) =>
    runOpenAI(layers(given, new OpenAI(optionsOf(url)), openai.guardClient), read),
  'openai, guardClient of a client made of it': (url, given, read) =>
    runOpenAI(
      layers(given, new OpenAI(optionsOf(url)), (guard, client) =>
        openai.guardClient(guard, client).withOptions({ maxRetries: 0 }),
      ),
      read,
    ),
  'openai, guardFetch': (url, given, read) => {
    const fetch = layers(given, globalThis.fetch, (guard, send) => openai.guardFetch(guard, send))
    return runOpenAI(new OpenAI({ ...optionsOf(url), fetch }), read, given)
  },
  'openai, guardClient over guardFetch': (url, given, read) => {
    const [first, ...others] = given
    const fetch = first && openai.guardFetch(first)
    const client = new OpenAI({ ...optionsOf(url), ...(fetch && { fetch }) })
    return runOpenAI(layers(others.length > 0 ? others : given, client, openai.guardClient), read)
  },
  'anthropic, guardClient': (url, given, read) => {
    const client = new Anthropic({ ...optionsOf(url), baseURL: url })
    return runAnthropic(layers(given, client, anthropic.guardClient), read)
  },
  'anthropic, guardClient of a client made of it': (url, given, read) => {
    const client = new Anthropic({ ...optionsOf(url), baseURL: url })
    const guarded = layers(given, client, (guard, client) =>
      anthropic.guardClient(guard, client).withOptions({ maxRetries: 0 }),
    )
    return runAnthropic(guarded, read)
  },
  'anthropic, guardMiddleware': (url, given, read) => {
    const middleware = given.map((guard) => anthropic.guardMiddleware(guard))
    const client = new Anthropic({ ...optionsOf(url), baseURL: url, middleware })
    return runAnthropic(client, read, given)
  },
  'anthropic, guardClient over guardMiddleware': (url, given, read) => {
    const [first, ...others] = given
    const middleware = first ? [anthropic.guardMiddleware(first)] : []
    const client = new Anthropic({ ...optionsOf(url), baseURL: url, middleware })
    const guards = others.length > 0 ? others : given
    return runAnthropic(layers(guards, client, anthropic.guardClient), read)
  },
  'google, guardClient': (url, given, read) => {
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
    return runGoogle(layers(given, client, google.guardClient), read)
  },
  'openai-agents, guardRunner': async (url, given, read) => {
    const { apiKey, baseURL } = optionsOf(url)
    const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey, baseURL }) })
    const reader = agentTool({
      ...read_file,
      parameters: schema,
      execute: ({ path }) => read(path),
    })
    const agent = new Agent({ name: 'reader', model: 'gpt-5', tools: [reader] })
    const guarded = layers(given, runner, agents.guardRunner)
    return (await guarded.run(agent, 'go', { maxTurns: 20 })).finalOutput
  },
  'ai-sdk, guardRun': async (url, given, read) => {
    const options = layers<Any>(given, { tools: aiTools(read), stopWhen }, (guard, own) =>
      aiSdk.guardRun(guard, own),
    )
    return (await generateText({ model: modelOf(url), prompt: 'go', ...options })).text
  },
  'ai-sdk, guardRun, streamed': async (url, given, read) => {
    const options = layers<Any>(given, { tools: aiTools(read), stopWhen }, (guard, own) =>
      aiSdk.guardRun(guard, own),
    )
    return streamText({ model: modelOf(url), prompt: 'go', ...options }).text
  },
  'ai-sdk, guardMiddleware': async (url, given, read) => {
    const model = wrapped(url, given)
    return (await generateText({ model, prompt: 'go', tools: aiTools(read), stopWhen })).text
  },
  'ai-sdk, guardMiddleware, in one list': async (url, given, read) => {
    const middleware = given.map((guard) => aiSdk.guardMiddleware(guard))
    const model = wrapLanguageModel({ model: modelOf(url), middleware })
    return streamText({ model, prompt: 'go', tools: aiTools(read), stopWhen }).text
  },
  'ai-sdk, guardRun over guardMiddleware': async (url, given, read) => {
    const [first, ...others] = given
    const isTwice = others.length > 0
    const model = isTwice && first ? wrapped(url, [first]) : modelOf(url)
    const guards = isTwice ? others : given
    const options = layers<Any>(guards, { tools: aiTools(read), stopWhen }, (guard, own) =>
      aiSdk.guardRun(guard, own),
    )
    return streamText({ model, prompt: 'go', ...options }).text
  },
  'langchain, guardModel': async (url, given, read) => {
    const { apiKey, baseURL } = optionsOf(url)
    const plain = new ChatOpenAI({ model: 'gpt-5', apiKey, configuration: { baseURL } })
    const agent = createAgent({
      model: layers(given, plain, langchain.guardModel),
      tools: [
        langchainTool(({ path }: { path: string }) => read(path), {
          name: 'read_file',
          description: 'Reads a file.',
          schema,
        }),
      ],
      // one name is taken once
      middleware: [...new Set(given)].map((guard, at) =>
        createMiddleware({ ...langchain.guardRun(guard), name: `guard ${at}` }),
      ),
    })
    const messages = [{ role: 'user', content: 'go' }]
    let text: string | undefined
    for await (const [mode, chunk] of await agent.stream(
      { messages },
      { recursionLimit: 50, streamMode: ['values', 'messages'] },
    )) {
      if (mode === 'values') text = chunk.messages.at(-1)?.text
    }
    return text
  },
}

const SCRIPTS: Record<string, Script> = {
  'a loop': () => ({ text: 'Again. ', calls: [{ name: 'read_file', args: { path: 'a' } }] }),
  'healthy work': (_, turn) =>
    turn < 8
      ? { text: `Now ${turn}. `, calls: [{ name: 'read_file', args: { path: `part-${turn}` } }] }
      : { text: 'Done.' },
  'a chant': () => ({ text: 'I will check the configuration once again. '.repeat(300) }),
}

/** What a program does, and what its guards see and say. */
async function watch(program: Program, script: Script, given: readonly Given[]) {
  const provider = await startProvider(script)
  const runs: string[] = []
  const text = await program(provider.url, given, (path) => {
    runs.push(path)
    return `content of ${path}`
  })
  await provider.close()
  return { text, runs, requests: provider.exchanges.map(({ body }) => JSON.stringify(body)) }
}

/** The same events, whatever their ids and times. */
const toPlain = (events: readonly AgentEvent[]) =>
  events.map((event) => JSON.stringify({ ...event, id: undefined, at: undefined }))

describe.each(Object.entries(PROGRAMS))('%s', (name, program) => {
  describe.each(Object.entries(SCRIPTS))('%s', (_, script) => {
    it('is the same where one guard guards it twice', async () => {
      const seen: unknown[] = []
      for (const times of [1, 2]) {
        const events: AgentEvent[] = []
        const guard = listening(events)
        const ran = await watch(program, script, Array(times).fill(guard))
        const findings = guard.findings.map(({ detector, action }) => `${detector} ${action}`)
        seen.push({ ...ran, events: toPlain(events), findings, outcome: outcomeOf(guard) })
        expect(guard.faults).toEqual([])
      }
      expect(seen[1]).toEqual(seen[0])
    })

    it('is the same where one createGuards() guards it twice', async () => {
      const seen: unknown[] = []
      for (const times of [1, 2]) {
        const found: Finding[] = []
        const guards = createGuards({ guard: { onFinding: (finding) => found.push(finding) } })
        const ran = await watch(program, script, Array(times).fill(guards))
        const findings = found.map(({ detector, action }) => `${detector} ${action}`)
        seen.push({ ...ran, findings, size: guards.size })
        expect(guards.faults).toEqual([])
      }
      expect(seen[1]).toEqual(seen[0])
    })
  })

  // refused below
  if (name.startsWith('openai-agents')) return

  it('may have two guards', async () => {
    const given = [createGuard(), createGuard()]
    const { text, runs } = await watch(program, SCRIPTS['a loop'] as Script, given)
    expect(text).toContain('Stopped: ')
    expect(runs.length).toBeLessThanOrEqual(SPEAKS_AT + 2)
    for (const guard of given) {
      expect(guard.findings[0]?.action).toBe('warn')
      expect(guard.faults).toEqual([])
    }
  })

  it('leaves healthy work alone with two guards', async () => {
    const given = [createGuard(), createGuards()]
    const script = SCRIPTS['healthy work'] as Script
    expect(await watch(program, script, given)).toEqual(await watch(program, script, []))
    for (const { faults } of given) expect(faults).toEqual([])
  })
})

it('openai-agents, guardRunner: refuses a runner that another guard watches', () => {
  const runner = agents.guardRunner(createGuard(), new Runner())
  for (const guard of [createGuard(), createGuards()])
    expect(() => agents.guardRunner(guard, runner)).toThrow(/no other guard.*, got /)
})

it.each([generateText, streamText])(
  'ai-sdk, guardRun with isStuck: %o counts each step once',
  async (ask) => {
    const provider = await startProvider(SCRIPTS['a loop'] as Script)
    const events: AgentEvent[] = []
    const guard = listening(events)
    const own = { tools: aiTools(() => 'content'), stopWhen: [stopWhen, aiSdk.isStuck(guard)] }
    const options: Any = {
      model: modelOf(provider.url),
      prompt: 'go',
      ...aiSdk.guardRun(guard, own),
    }
    expect((await (await ask(options)).steps).length).toBe(SPEAKS_AT + 1)
    await provider.close()
    expect(events.filter(({ type }) => type === 'tool-call')).toHaveLength(SPEAKS_AT + 1)
    const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
    expect(said).toBe('Again. '.repeat(SPEAKS_AT + 1))
    expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block'])
    expect(guard.faults).toEqual([])
  },
)
