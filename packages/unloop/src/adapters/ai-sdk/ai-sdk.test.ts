import { createOpenAI } from '@ai-sdk/openai'
import { type Provider, type Script, startProvider } from '@unloop/testing'
import * as v6 from 'ai'
import {
  generateText,
  type ModelMessage,
  smoothStream,
  stepCountIs,
  streamText,
  type ToolSet,
} from 'ai'
import * as v5 from 'ai5'
import { createOpenAI as createOpenAI5 } from 'ai5-openai'
import * as v7 from 'ai7'
import { createOpenAI as createOpenAI7 } from 'ai7-openai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  listening,
  type Program,
  SPEAKS_AT,
  testAdapter,
  testTitles,
} from '../../../test/adapters/test-adapter.js'
import type { AgentEvent } from '../../event.js'
import { createGuard, type Guard } from '../../guard.js'
import { guardMiddleware, guardRun, outcomeOf } from './index.js'

const inputSchema = z.object({ path: z.string() })

// biome-ignore lint/suspicious/noExplicitAny: three versions of one SDK; `ai-sdk.test-d.ts` holds their types
type Any = any

const versions: Record<string, Any> = {
  5: { ...v5, createOpenAI: createOpenAI5 },
  6: { ...v6, createOpenAI },
  7: { ...v7, createOpenAI: createOpenAI7, stepCountIs: v7.isStepCount },
}

for (const [version, sdk] of Object.entries(versions)) {
  const optionsOf = ({ url, guard, prompt, signal, readFile }: Program) => {
    const tools = {
      read_file: sdk.tool({
        description: 'Reads a file.',
        inputSchema,
        execute: ({ path }: { path: string }) => readFile(path),
      }),
    }
    const stopWhen = sdk.stepCountIs(30)
    return {
      model: sdk.createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('gpt-5'),
      prompt,
      abortSignal: signal,
      maxRetries: 0,
      ...(guard ? guardRun(guard, { tools, stopWhen }) : { tools, stopWhen }),
    }
  }

  testAdapter(`ai-sdk ${version}, generateText`, {
    streams: false,
    async run(program) {
      const { text } = await sdk.generateText(optionsOf(program))
      return text
    },
  })

  testAdapter(`ai-sdk ${version}, streamText`, {
    streams: true,
    async run(program) {
      let failure: unknown
      const result = sdk.streamText({
        ...optionsOf(program),
        onError: ({ error }: { error: unknown }) => {
          failure = error
        },
      })
      await result.consumeStream()
      if (failure) throw failure
      if (program.signal.aborted) return ''
      const [text] = await Promise.all([
        result.text,
        result.steps,
        result.finishReason,
        result.totalUsage ?? result.usage,
      ])
      return text
    },
  })

  testTitles(`ai-sdk ${version}, a middleware`, (url, guard) => {
    const plain = sdk.createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('gpt-5')
    const model = sdk.wrapLanguageModel({ model: plain, middleware: guardMiddleware(guard) })
    const messages: Any[] = [{ role: 'user', content: 'go' }]
    return {
      async next() {
        const tools = { read_file: sdk.tool({ inputSchema }) }
        const { text, toolCalls, response } = await sdk.generateText({ model, messages, tools })
        messages.push(...response.messages)
        const output = { type: 'text', value: 'content' }
        for (const { toolCallId, toolName } of toolCalls)
          messages.push({
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId, toolName, output }],
          })
        return text
      },
      async title() {
        const result = sdk.streamText({ model, prompt: 'A title for: go' })
        return result.text
      },
    }
  })

  describe(`ai-sdk ${version}`, () => {
    let provider: Provider
    afterEach(() => provider.close())
    const modelAt = async (script: Script) => {
      provider = await startProvider(script)
      return sdk.createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat('gpt-5')
    }
    const read = { name: 'read_file', args: { path: 'a' } }

    it('passes an answer of a tool in pieces on, and hears the last', async () => {
      const model = await modelAt([{ calls: [read] }, { text: 'Done.' }])
      const events: AgentEvent[] = []
      const execute = async function* () {
        yield 'loading'
        yield 'content of a'
      }
      const tools = { read_file: sdk.tool({ inputSchema, execute }) }
      const options = guardRun(listening(events), { tools, stopWhen: sdk.stepCountIs(5) })
      const result = sdk.streamText({ model, prompt: 'go', ...options })
      const outputs = []
      for await (const part of result.fullStream)
        if (part.type === 'tool-result') outputs.push(part.output)
      expect([...new Set(outputs)]).toEqual(['loading', 'content of a'])
      expect(events.filter(({ type }) => type === 'tool-result')).toMatchObject([
        { output: 'content of a' },
      ])
      expect(JSON.stringify((await provider.exchange(1)).body)).toContain('content of a')
    })

    it('leaves the limit of the SDK and what it was not given alone', async () => {
      const model = await modelAt(() => ({ calls: [read] }))
      const tools = { read_file: sdk.tool({ inputSchema, execute: () => `${Math.random()}` }) }
      await sdk.generateText({ model, prompt: 'go', ...guardRun(createGuard(), { tools }) })
      await sdk.generateText({ model, tools, prompt: 'go', ...guardRun(createGuard()) })
      expect(provider.exchanges.map(({ body }) => (body.tools as unknown[]).length)).toEqual([1, 1])
    })

    it('cuts a chant of an agent, and keeps the usage of the steps before', async () => {
      const chant = 'I will check it once again. '.repeat(200)
      const model = await modelAt([{ calls: [read] }, { text: chant }])
      const tools = { read_file: sdk.tool({ inputSchema, execute: () => 'content' }) }
      const guard = createGuard()
      const options = guardRun(guard, { tools, stopWhen: sdk.stepCountIs(5) })
      const Agent = sdk.ToolLoopAgent ?? sdk.Experimental_Agent
      const result = await new Agent({ model, ...options }).stream({ prompt: 'go' })
      await result.consumeStream()
      expect((await result.text).length).toBeLessThan(1000)
      expect(guard.findings).toMatchObject([{ action: 'cut' }])
      const usage = await (version === '7' ? result.usage : result.totalUsage)
      expect(usage.inputTokens).toBeGreaterThan(0)
    })

    it('guards a model by a middleware: the program runs on, the model is told and then asked no more', async () => {
      const plain = await modelAt(() => ({ calls: [read] }))
      const events: AgentEvent[] = []
      const guard = listening(events)
      const model = sdk.wrapLanguageModel({ model: plain, middleware: guardMiddleware(guard) })
      const tools = { read_file: sdk.tool({ inputSchema, execute: () => 'content' }) }
      const stopWhen = sdk.stepCountIs(30)
      const { text } = await sdk.generateText({ model, tools, stopWhen, prompt: 'go' })
      expect(text).toContain('Stopped: read_file was called')
      expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
      const [warned] = guard.findings
      const told = provider.exchanges.map(({ body }) => JSON.stringify(body))
      expect(told.filter((body) => body.includes(warned?.advice ?? '?'))).not.toEqual([])
      const calls = events.filter(({ type }) => type === 'tool-call')
      expect(calls).toHaveLength(provider.exchanges.length)
      expect(guard.faults).toEqual([])
    })

    it.each([false, true])(
      'ends a run with words and a reason, streamed %s',
      async (isStreamed) => {
        const model = await modelAt(() => ({ calls: [read] }))
        const tools = { read_file: sdk.tool({ inputSchema, execute: () => 'content' }) }
        const guard = createGuard()
        // the step that is stopped is the last that the program allows
        const options = guardRun(guard, { tools, stopWhen: sdk.stepCountIs(SPEAKS_AT + 2) })
        const ask = isStreamed ? sdk.streamText : sdk.generateText
        const result = await ask({ model, prompt: 'go', ...options })
        await result.consumeStream?.()
        expect(await result.text).toMatch(/^Stopped: read_file was called/)
        expect(await result.finishReason).toBe('other')
        expect(await result.steps).toHaveLength(SPEAKS_AT + 3)
        expect(provider.exchanges).toHaveLength(SPEAKS_AT + 2)
        expect(guard.faults).toEqual([])
      },
    )

    it('takes a tool that does not exist for an error, not for an outage', async () => {
      const requestsOf = async (name: string, execute: () => string, middleware = false) => {
        const plain = await modelAt(() => ({ calls: [{ name, args: { path: 'a' } }] }))
        const guard = createGuard()
        const tools = { read_file: sdk.tool({ inputSchema, execute }) }
        const stopWhen = sdk.stepCountIs(30)
        const options = middleware ? { tools, stopWhen } : guardRun(guard, { tools, stopWhen })
        const model = middleware
          ? sdk.wrapLanguageModel({ model: plain, middleware: guardMiddleware(guard) })
          : plain
        const { text } = await sdk.generateText({ model, prompt: 'go', ...options })
        expect(text).toMatch(/^Stopped: /)
        const told = provider.exchanges.map(({ body }) => JSON.stringify(body))
        for (const { action, advice } of guard.findings.slice(0, 2))
          expect(
            told.some((body) => body.includes(JSON.stringify(advice).slice(1, -1))),
            action,
          ).toBe(true)
        const { length } = provider.exchanges
        await provider.close()
        return length
      }
      const fail = () => {
        throw new Error('unknown path')
      }
      const usual = await requestsOf('read_file', fail)
      expect(await requestsOf('grep', fail)).toBe(usual)
      expect(await requestsOf('grep', fail, true)).toBe(usual)
    })

    it('cuts a chant by a middleware', async () => {
      const chant = 'I will check it once again. '.repeat(2000)
      const plain = await modelAt([{ text: chant, pauseMs: 1 }])
      const guard = createGuard()
      const model = sdk.wrapLanguageModel({ model: plain, middleware: guardMiddleware(guard) })
      const result = sdk.streamText({ model, prompt: 'go' })
      await result.consumeStream()
      expect((await result.text).length).toBeLessThan(1000)
      expect(await result.finishReason).toBe('other')
      expect(guard.findings).toMatchObject([{ action: 'cut' }])
      expect(await (await provider.exchange(0)).disconnected).toBe(true)
    })

    it('leaves a healthy run with a middleware as it is, byte for byte', async () => {
      const tools = { read_file: sdk.tool({ inputSchema, execute: () => 'content' }) }
      const stopWhen = sdk.stepCountIs(5)
      const bodies: unknown[] = []
      for (const isGuarded of [false, true]) {
        const plain = await modelAt([{ text: 'Let me see. ', calls: [read] }, { text: 'Done.' }])
        const middleware = isGuarded ? [guardMiddleware(createGuard())] : []
        const model = sdk.wrapLanguageModel({ model: plain, middleware })
        await sdk.generateText({ model, tools, stopWhen, prompt: 'go' })
        bodies.push(provider.exchanges.map(({ body }) => body))
        await provider.close()
      }
      expect(bodies[1]).toEqual(bodies[0])
    })

    it('goes on with a call that was made before the chant, and tells the model', async () => {
      const chant = 'I will check it once again. '.repeat(200)
      const calls = [{ name: 'read_file', args: { path: 'a' } }]
      const model = await modelAt([{ calls }, { text: 'Done.' }])
      // a model that says first what it calls, and then begins to chant
      const doStream = async (options: Any) => {
        const answer = await model.doStream(options)
        return provider.exchanges.length > 1
          ? answer
          : { ...answer, stream: chantingAfter(answer.stream, chant) }
      }
      const { specificationVersion, provider: name, modelId, supportedUrls } = model
      const chatty = { specificationVersion, provider: name, modelId, supportedUrls, doStream }
      const tools = { read_file: sdk.tool({ inputSchema, execute: () => 'content' }) }
      const guard = createGuard()
      const options = guardRun(guard, { tools, stopWhen: sdk.stepCountIs(5) })
      const result = sdk.streamText({ model: chatty, prompt: 'go', ...options })
      await result.consumeStream()
      expect(await result.text).toBe('Done.')
      const told = JSON.stringify((await provider.exchange(1)).body)
      expect(told).toContain(guard.findings[0]?.advice)
    })
  })
}

/** The same stream, with a long text behind the call. */
function chantingAfter(stream: ReadableStream<Any>, text: string): ReadableStream<Any> {
  const words = text.match(/.{1,20}/g) ?? []
  return stream.pipeThrough(
    new TransformStream({
      transform(part, controller) {
        if (part.type === 'finish') {
          controller.enqueue({ type: 'text-start', id: 't' })
          for (const delta of words) controller.enqueue({ type: 'text-delta', id: 't', delta })
          controller.enqueue({ type: 'text-end', id: 't' })
        }
        controller.enqueue(part)
      },
    }),
  )
}

it('calls the callbacks of the program under either name', async () => {
  const provider = await startProvider([{ text: 'Done.' }])
  const called: string[] = []
  const options = guardRun(createGuard(), {
    onStepFinish: () => called.push('finish'),
    onStepEnd: () => called.push('end'),
  })
  await generateText({ model: modelOf(provider.url), prompt: 'go', ...options })
  await provider.close()
  expect(called).toEqual(['finish', 'end'])
})

const modelOf = (url: string) =>
  createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('gpt-5')
const stopWhen = stepCountIs(5)

/** Asks in a chat whose tools the program runs itself, after each answer of the model. */
async function ask(url: string, guard: Guard, messages: ModelMessage[]) {
  const tools: ToolSet = { read_file: { inputSchema } }
  const options = { model: modelOf(url), messages, ...guardRun(guard, { tools, stopWhen }) }
  const { text, toolCalls, response } = await generateText(options)
  messages.push(...response.messages)
  for (const { toolCallId, toolName } of toolCalls) {
    const output = { type: 'text' as const, value: 'content' }
    const content = [{ type: 'tool-result' as const, toolCallId, toolName, output }]
    messages.push({ role: 'tool', content })
  }
  return text
}

it.each([false, true])('hears the last step of a run, streamed %s', async (isStreamed) => {
  const provider = await startProvider([{ text: 'Done.' }])
  const events: AgentEvent[] = []
  const finished: string[] = []
  const onStepFinish = ({ text }: { text: string }) => finished.push(text)
  const run = guardRun(listening(events), { stopWhen, onStepFinish })
  const options = { model: modelOf(provider.url), prompt: 'go', ...run }
  if (isStreamed) await streamText(options).consumeStream()
  else await generateText(options)
  await provider.close()
  const types = events.map(({ type }) => type)
  expect([...new Set(types)]).toEqual(['prompt', 'turn-start', 'text', 'usage', 'turn-end'])
  expect(finished).toEqual(['Done.'])
})

it('says so where its prepareStep is not called', async () => {
  const provider = await startProvider([{ text: 'Done.' }])
  const told: string[] = []
  const guard = createGuard({ onFault: ({ part, error }) => told.push(`${part}: ${error}`) })
  const options = { ...guardRun(guard, { stopWhen }), prepareStep: () => ({}) }
  await generateText({ model: modelOf(provider.url), prompt: 'go', ...options })
  await provider.close()
  expect(told).toEqual([expect.stringContaining('ai-sdk: Error: prepareStep was not called')])
  expect(outcomeOf(guard)).toBe('unguarded')
})

it('finds a chant of a model that calls no tool', async () => {
  const text = 'I will check the configuration once again. '.repeat(200)
  const provider = await startProvider([{ text }])
  const guard = createGuard()
  await generateText({ model: modelOf(provider.url), prompt: 'go', ...guardRun(guard) })
  await provider.close()
  expect(guard.findings).toMatchObject([{ detector: 'chanting' }])
})

it('sees calls that the program runs itself, and sends nothing once it is stopped', async () => {
  const provider = await startProvider((_, turn) =>
    turn < SPEAKS_AT + 2
      ? { calls: [{ name: 'read_file', args: { path: 'a' } }] }
      : { text: 'Done.' },
  )
  const guard = createGuard()
  const messages: ModelMessage[] = [{ role: 'user', content: 'go' }]
  for (let i = 0; i < SPEAKS_AT + 2; i++) await ask(provider.url, guard, messages)
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  const refused = JSON.stringify((await provider.exchange(SPEAKS_AT + 1)).body)
  expect(refused).toContain(JSON.stringify(guard.findings[1]?.advice).slice(1, -1))

  const restored = createGuard({}, guard.snapshot())
  expect(await ask(provider.url, restored, [...messages])).toContain(
    'Stopped: read_file was called',
  )
  const { model, prepareStep } = { model: modelOf(provider.url), ...guardRun(restored) }
  const result = streamText({ model, messages: [...messages], prepareStep })
  await result.consumeStream()
  expect(await result.text).toContain('Stopped: read_file was called')
  expect(await result.finishReason).toBe('other')
  expect(provider.exchanges).toHaveLength(SPEAKS_AT + 2)
  restored.continueOnce()
  expect(await ask(provider.url, restored, messages)).toBe('Done.')
  await provider.close()
  expect(restored.faults).toEqual([])
})

it('calls a prepareStep of the program, and watches the model that it chooses', async () => {
  const provider = await startProvider([{ text: 'I will check it once again. '.repeat(200) }])
  const other = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat('gpt-5-mini')
  const guard = createGuard()
  const prepareStep = async () => ({ model: other, system: 'Be brief.' })
  const run = guardRun(guard, { stopWhen, prepareStep })
  const model = modelOf('http://127.0.0.1:1')
  const result = streamText({ model, prompt: 'go', ...run, experimental_transform: smoothStream() })
  await result.consumeStream()
  expect(await result.finishReason).toBe('other')
  expect((await result.text).length).toBeLessThan(1000)
  const { body } = await provider.exchange(0)
  expect(body).toMatchObject({ model: 'gpt-5-mini', messages: [{ content: 'Be brief.' }, {}] })
  await provider.close()
  expect(guard.findings).toMatchObject([{ detector: 'chanting', action: 'cut' }])
})
