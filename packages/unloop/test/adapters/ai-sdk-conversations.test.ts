import { AsyncLocalStorage } from 'node:async_hooks'
import { createOpenAI } from '@ai-sdk/openai'
import { type Body, type Script, startProvider } from '@unloop/testing'
import * as v6 from 'ai'
import * as v5 from 'ai5'
import { createOpenAI as createOpenAI5 } from 'ai5-openai'
import * as v7 from 'ai7'
import { createOpenAI as createOpenAI7 } from 'ai7-openai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guardMiddleware, guardRun, isStuck, outcomeOf } from '../../src/adapters/ai-sdk/index.js'
import type { Finding } from '../../src/finding.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import { SPEAKS_AT } from './test-adapter.js'
import { createStore, MANY, testConversations } from './test-conversations.js'

// biome-ignore lint/suspicious/noExplicitAny: three versions of one SDK
type Any = any

const versions: Record<string, Any> = {
  5: { ...v5, createOpenAI: createOpenAI5, Agent: v5.Experimental_Agent },
  6: { ...v6, createOpenAI, Agent: v6.ToolLoopAgent },
  7: {
    ...v7,
    createOpenAI: createOpenAI7,
    stepCountIs: v7.isStepCount,
    Agent: v7.ToolLoopAgent,
  },
}

const inputSchema = z.object({ path: z.string() })
const read = (path: string) => ({ name: 'read_file', args: { path } })
/** How many equal reads it takes until there is no doubt. */
const CERTAIN_AT = SPEAKS_AT + 1
const LOOP: Script = () => ({ calls: [read('a')] })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(script: Script) {
  const provider = await startProvider(script)
  closing.push(provider.close)
  return provider
}

/** A program that runs the tools itself, and sends the whole history each time. */
async function converse(
  sdk: Any,
  options: Any,
  messages: Any[],
  readFile: (path: string) => Promise<string> | string,
  turns = 20,
): Promise<string> {
  const tools = { read_file: sdk.tool({ inputSchema }) }
  for (let turn = 0; turn < turns; turn++) {
    const result = sdk.streamText({ tools, messages: [...messages], ...options(tools) })
    await result.consumeStream()
    const calls = await result.toolCalls
    messages.push(...(await result.response).messages)
    if (calls.length === 0) return result.text
    for (const { toolCallId, toolName, input } of calls) {
      const output = { type: 'text', value: await readFile(input.path) }
      const content = [{ type: 'tool-result', toolCallId, toolName, output }]
      messages.push({ role: 'tool', content })
    }
  }
  return ''
}

for (const [version, sdk] of Object.entries(versions)) {
  const modelAt = (url: string) =>
    sdk.createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('gpt-5')

  for (const isStreamed of [false, true]) {
    testConversations(`ai-sdk ${version}, one agent${isStreamed ? ', streamed' : ''}`, {
      serve(url, guards) {
        const reader = new AsyncLocalStorage<(path: string) => Promise<string>>()
        const execute = ({ path }: { path: string }) => reader.getStore()?.(path)
        const tools = { read_file: sdk.tool({ inputSchema, execute }) }
        const stopWhen = sdk.stepCountIs(20)
        const agent = new sdk.Agent({
          model: modelAt(url),
          ...guardRun(guards, { tools, stopWhen }),
        })
        return (prompt, readFile) =>
          reader.run(readFile, async () => {
            const ask = isStreamed ? agent.stream({ prompt }) : agent.generate({ prompt })
            const result = await ask
            await result.consumeStream?.()
            return result.text
          })
      },
    })
  }

  testConversations(`ai-sdk ${version}, tools that the program runs`, {
    refuses: false,
    conversations: version === '6' ? MANY : 10,
    serve(url, guards) {
      const model = modelAt(url)
      return (prompt, readFile) =>
        converse(
          sdk,
          (tools: Any) => ({ model, ...guardRun(guards, { tools }) }),
          [{ role: 'user', content: prompt }],
          readFile,
        )
    },
  })

  testConversations(`ai-sdk ${version}, a middleware`, {
    refuses: false,
    conversations: version === '6' ? MANY : 10,
    serve(url, guards) {
      const middleware = guardMiddleware(guards)
      const model = sdk.wrapLanguageModel({ model: modelAt(url), middleware })
      return (prompt, readFile) =>
        converse(sdk, () => ({ model }), [{ role: 'user', content: prompt }], readFile)
    },
  })

  describe(`ai-sdk ${version}, conversations`, () => {
    const toolsOf = (execute: (input: { path: string }) => unknown) => ({
      read_file: sdk.tool({ inputSchema, execute }),
    })
    const agentOf = (url: string, guard: Guard | Guards) => {
      const tools = toolsOf(() => 'content')
      const run = guardRun(guard, { tools, stopWhen: sdk.stepCountIs(20) })
      return new sdk.Agent({ model: modelAt(url), ...run })
    }

    it.each(['memory', 'a store'])('goes on with the guard of a chat, from %s', async (where) => {
      const provider = await serve((_, turn) =>
        turn % 2 ? { text: 'Done.' } : { calls: [read('a')] },
      )
      const store = where === 'a store' ? { store: createStore() } : {}
      let guards = createGuards(store)
      const messages: Any[] = []
      for (const turn of [1, 2, 3]) {
        if (where === 'a store') guards = createGuards(store)
        messages.push({ role: 'user', content: `question ${turn}` })
        const agent = agentOf(provider.url, {
          ...guards,
          async take(...names) {
            const guard = await guards.take(...names)
            // the person has decided in the turn before
            expect(guard?.disabled).toBe(turn === 3)
            if (turn === 2) guard?.disable()
            return guard
          },
        })
        const { response, responseMessages } = await agent.generate({ messages })
        messages.push(...(responseMessages ?? response.messages))
        expect(guards.size).toBe(1)
      }
    })

    it('reads what it missed from the messages, where a guard is new', async () => {
      const provider = await serve(LOOP)
      const found: Finding[] = []
      const messages: Any[] = [{ role: 'user', content: 'go' }]
      const newGuard = (tools: Any) => {
        const guard = createGuard({ onFinding: (finding) => found.push(finding) })
        return { model: modelAt(provider.url), ...guardRun(guard, { tools }) }
      }
      const text = await converse(sdk, newGuard, messages, () => 'content')
      expect(text).toMatch(/^Stopped: read_file was called/)
      expect(provider.exchanges.length).toBeLessThanOrEqual(SPEAKS_AT + 2)
      const advice = found.find(({ action }) => action === 'warn')?.advice ?? '?'
      const told = provider.exchanges.map(({ body }) => JSON.stringify(body).includes(advice))
      expect(told).toContain(true)
    })

    it('says where its result carries it how a run ended', async () => {
      const provider = await serve(LOOP)
      const chant = await serve([{ text: 'I will check it once again. '.repeat(200) }])
      const { providerMetadata } = await agentOf(provider.url, createGuards()).generate({
        prompt: 'go',
      })
      expect(providerMetadata.unloop).toMatchObject({
        outcome: 'stopped',
        finding: { detector: 'repeated-call', tool: 'read_file' },
      })
      const result = await agentOf(chant.url, createGuards()).stream({ prompt: 'go' })
      await result.consumeStream()
      expect((await result.providerMetadata).unloop).toMatchObject({ outcome: 'cut' })
    })

    it('tells users apart that share one guard and never ask at the same time', async () => {
      const provider = await serve(LOOP)
      const guard = createGuard()
      const users = Array.from({ length: 7 }, () => [{ role: 'user', content: 'go' }] as Any[])
      const options = (tools: Any) => ({
        model: modelAt(provider.url),
        ...guardRun(guard, { tools }),
      })
      for (let turn = 0; turn < 2; turn++)
        for (const messages of users) await converse(sdk, options, messages, () => 'content', 1)
      expect(guard.faults.map(({ error }) => String(error))).toEqual([
        expect.stringContaining('two conversations share this guard'),
      ])
      expect(outcomeOf(guard)).toBe('unguarded')
      expect(provider.exchanges).toHaveLength(14)
    })

    it('watches an agent inside a tool and the agent around it, each on its own', async () => {
      const script = ({ body }: { body: Body }) =>
        JSON.stringify(body).includes('inner') ? { text: 'Nothing there.' } : { calls: [read('a')] }
      const provider = await serve(script)
      const found: Finding[] = []
      const guards = createGuards({ guard: { onFinding: (finding) => found.push(finding) } })
      const inner = agentOf(provider.url, guards)
      const tools = toolsOf(async () => (await inner.generate({ prompt: 'inner' })).text)
      const { text } = await sdk.generateText({
        model: modelAt(provider.url),
        prompt: 'outer',
        ...guardRun(guards, { tools, stopWhen: sdk.stepCountIs(20) }),
      })
      expect(text).toMatch(/^Stopped: read_file was called/)
      expect(found.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
    })

    it('leaves an agent with other tools alone that asks through the same model', async () => {
      const provider = await serve(({ body }) => ({
        calls: [
          JSON.stringify(body.tools).includes('read_file')
            ? read('a')
            : { name: 'search', args: {} },
        ],
      }))
      const guard = createGuard()
      const model = sdk.wrapLanguageModel({
        model: modelAt(provider.url),
        middleware: guardMiddleware(guard),
      })
      const messages: Any[] = [{ role: 'user', content: 'go' }]
      const search = sdk.tool({ inputSchema: z.object({}), execute: () => 'found' })
      let text = ''
      for (let turn = 0; turn < 10 && text === ''; turn++) {
        text = await converse(
          sdk,
          () => ({ model }),
          messages,
          () => 'content',
          1,
        )
        const stopWhen = sdk.stepCountIs(3)
        await sdk.generateText({ model, tools: { search }, stopWhen, prompt: 'inner' })
      }
      expect(text).toMatch(/^Stopped: read_file was called/)
      expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
      expect(guard.faults).toEqual([])
    })

    it.each([1, 2, 3])('refuses a round of %i calls as a whole, before it runs', async (size) => {
      for (const paths of [Array(size).fill('a'), ['a', 'b', 'c'].slice(0, size)]) {
        const provider = await serve(() => ({ calls: paths.map(read) }))
        const runs: string[] = []
        const execute = ({ path }: { path: string }) => {
          runs.push(path)
          return 'content'
        }
        const guard = createGuard({ ladder: ['block', 'stop'] })
        const { text } = await sdk.generateText({
          model: modelAt(provider.url),
          prompt: 'go',
          ...guardRun(guard, { tools: toolsOf(execute), stopWhen: sdk.stepCountIs(20) }),
        })
        expect(text).toMatch(/^Stopped: /)
        expect(runs.length % size).toBe(0)
        expect(guard.faults).toEqual([])
      }
    })
  })

  describe(`ai-sdk ${version}, isStuck`, () => {
    const run = async (script: Script, condition: Any, execute = () => 'content') => {
      const provider = await serve(script)
      const tools = { read_file: sdk.tool({ inputSchema, execute }) }
      const stopWhen = [sdk.stepCountIs(20), condition]
      const options = { model: modelAt(provider.url), tools, stopWhen, prompt: 'go' }
      const { steps } = await sdk.generateText(options)
      return steps.length
    }
    const work: Script = (_, turn) =>
      turn < 12 ? { calls: [read(`src/part-${turn}.ts`)] } : { text: 'Done.' }

    it('ends a run that is stuck, and no other', async () => {
      const condition = isStuck()
      expect(await run(LOOP, condition)).toBe(CERTAIN_AT)
      expect(await run(work, condition)).toBe(13)
      // the same steps, the same verdict
      expect(await run(LOOP, condition)).toBe(CERTAIN_AT)
    })

    it('shows each step to a guard once', async () => {
      const guard = createGuard()
      expect(await run(LOOP, isStuck(guard))).toBe(CERTAIN_AT)
      expect(guard.findings).toMatchObject([
        { certainty: 'likely' },
        { certainty: 'certain', count: CERTAIN_AT },
      ])
      expect(guard.faults).toEqual([])
    })

    it('ends nothing for a guard that only observes', async () => {
      const guard = createGuard({ mode: 'observe' })
      expect(await run(LOOP, isStuck(guard))).toBe(20)
      expect(guard.findings).not.toEqual([])
    })
  })
}
