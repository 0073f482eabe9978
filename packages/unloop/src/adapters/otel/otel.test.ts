import { createOpenAI } from '@ai-sdk/openai'
import { context, metrics, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import * as sdk from '@opentelemetry/sdk-trace-base'
import { createOracle, startProvider } from '@unloop/testing'
import { generateText, stepCountIs, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listening, SPEAKS_AT } from '../../../test/adapters/test-adapter.js'
import type { AgentEvent } from '../../event.js'
import type { Finding } from '../../finding.js'
import { createGuard, type Guard } from '../../guard.js'
import { createGuards, type Guards } from '../../host/guards.js'
import type { GuardOptions } from '../../settings.js'
import { guardClient } from '../mcp/index.js'
import { guardSpans, type SpanRun, type Telemetry, toTelemetry } from './index.js'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterAll(() => context.disable())

// biome-ignore lint/suspicious/noExplicitAny: two versions of one SDK
type Any = any

/** Version 3 has another name for it, and takes options where version 2 took an exporter. */
const { BasicTracerProvider, TracerProvider } = sdk as Any
const Provider: typeof sdk.BasicTracerProvider = TracerProvider ?? BasicTracerProvider
const toProcessor = (exporter: sdk.SpanExporter) =>
  new sdk.SimpleSpanProcessor(TracerProvider ? ({ exporter } as Any) : exporter)

/** A provider whose spans go to a guard, and what came of it. */
function watch(guards: Guards = createGuards(), telemetry?: Telemetry) {
  const found: (Finding & { run: SpanRun })[] = []
  const hear = (finding: Finding, run: SpanRun) => found.push({ ...finding, run })
  const processor = guardSpans(guards, hear, telemetry)
  const exporter = new sdk.InMemorySpanExporter()
  const spanProcessors = [processor, toProcessor(exporter)]
  const provider = new Provider({ spanProcessors })
  return { found, processor, exporter, tracer: provider.getTracer('test') }
}

/** Guards that are all made by a function. */
const madeBy = (of: Guards['of']): Guards => ({ ...createGuards(), of })

type Watched = ReturnType<typeof watch>
type Attributes = Record<string, string | number>

/** A span inside the one that is active. */
function span(
  { tracer }: Watched,
  attributes: Attributes,
  inside: (span: Span) => void = () => {},
  late: Attributes = {},
) {
  tracer.startActiveSpan('span', { attributes }, (one) => {
    inside(one)
    one.setAttributes(late).end()
  })
}

const AGENT = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'coder' }
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5' }
const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'read_file' }
const ARGS = '{"path":"login.ts"}'
const json = JSON.stringify

/** How those who write spans say that a model asked for a file and got it. */
const CONVENTIONS: Record<string, (watched: Watched, turn: number) => void> = {
  'attributes on spans of tools': (watched) =>
    span(watched, { ...TOOL, 'gen_ai.tool.call.arguments': ARGS }, () => {}, {
      'gen_ai.tool.call.result': 'content',
    }),
  'calls whose ids start over in each turn': (watched) =>
    span(watched, {
      ...TOOL,
      'gen_ai.tool.call.id': 'call_0',
      'gen_ai.tool.call.arguments': ARGS,
      'gen_ai.tool.call.result': 'content',
    }),
  'messages as attributes, and tools without an id': (watched, turn) => {
    const id = `call_${turn}`
    const parts = [{ type: 'tool_call', id, name: 'read_file', arguments: { path: 'login.ts' } }]
    span(watched, {
      ...CHAT,
      'gen_ai.input.messages': json([
        { role: 'user', parts: [{ type: 'text', content: 'Why does the login fail?' }] },
      ]),
      'gen_ai.output.messages': json([{ role: 'assistant', parts }]),
    })
    span(watched, { ...TOOL, 'gen_ai.tool.call.result': 'content' })
  },
  'messages alone': (watched, turn) => {
    const id = `call_${turn}`
    const asked = { type: 'tool_call', id, name: 'read_file', arguments: { path: 'login.ts' } }
    const told = { type: 'tool_call_response', id: `call_${turn - 1}`, response: 'content' }
    span(watched, CHAT, (one) =>
      one.addEvent('gen_ai.client.inference.operation.details', {
        'gen_ai.input.messages': json([
          { role: 'assistant', parts: [] },
          { role: 'tool', parts: [told] },
        ]),
        'gen_ai.output.messages': json([{ role: 'assistant', parts: [asked] }]),
      }),
    )
  },
  'an event a message': (watched, turn) => {
    const call = { id: `call_${turn}`, function: { name: 'read_file', arguments: ARGS } }
    span(watched, CHAT, (one) => {
      one.addEvent('gen_ai.user.message', { content: 'Why does the login fail?' })
      one.addEvent('gen_ai.assistant.message', { 'gen_ai.event.content': '{}' })
      const told = { id: `call_${turn - 1}`, content: 'content' }
      one.addEvent('gen_ai.tool.message', { 'gen_ai.event.content': json(told) })
      one.addEvent('gen_ai.choice', { message: json({ tool_calls: [call] }) })
    })
  },
  'events of prompt and completion': (watched, turn) => {
    const call = { id: `call_${turn}`, function: { name: 'read_file', arguments: ARGS } }
    const told = { role: 'tool', tool_call_id: `call_${turn - 1}`, content: 'content' }
    span(watched, CHAT, (one) => {
      one.addEvent('gen_ai.content.prompt', {
        'gen_ai.prompt': json([{ role: 'assistant' }, told]),
      })
      one.addEvent('gen_ai.content.completion', {
        'gen_ai.completion': json([{ role: 'assistant', tool_calls: [call] }]),
      })
    })
  },
  'attributes with numbers': (watched, turn) =>
    span(watched, {
      'llm.request.type': 'chat',
      'gen_ai.prompt.0.role': 'assistant',
      'gen_ai.prompt.1.role': 'tool',
      'gen_ai.prompt.1.tool_call_id': `call_${turn - 1}`,
      'gen_ai.prompt.1.content': 'content',
      'gen_ai.completion.0.tool_calls.0.id': `call_${turn}`,
      'gen_ai.completion.0.tool_calls.0.name': 'read_file',
      'gen_ai.completion.0.tool_calls.0.arguments': ARGS,
    }),
  OpenInference: (watched) =>
    span(watched, {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'read_file',
      'input.value': ARGS,
      'output.value': 'content',
    }),
}

describe('a span processor', () => {
  it.each(Object.entries(CONVENTIONS))('reads %s', (_, turnOf) => {
    const watched = watch()
    span(watched, AGENT, () => {
      for (let turn = 0; turn < 7; turn++) turnOf(watched, turn)
    })
    const { found, processor } = watched
    expect(found.map(({ action }) => action).slice(0, 3)).toEqual(['warn', 'block', 'stop'])
    expect(found[0]).toMatchObject({ tool: 'read_file', count: SPEAKS_AT })
    expect(found[0]?.run.guard.stopped).toBe(true)
    expect(processor.faults).toEqual([])
    expect(processor.unread).toBe(0)
  })

  it('guards an agent of the AI SDK, which is ended by whoever is called back', async () => {
    const provider = await startProvider(() => ({
      text: 'Let me see.',
      calls: [{ name: 'read_file', args: { path: 'login.ts' } }],
    }))
    const abort = new AbortController()
    const findings: Finding[] = []
    const processor = guardSpans(createGuards(), (finding, { guard }) => {
      findings.push(finding)
      if (guard.stopped) abort.abort(new Error(finding.detail))
    })
    const tracer = new Provider({ spanProcessors: [processor] }).getTracer('test')
    const run = generateText({
      model: createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat('gpt-5'),
      prompt: 'Why does the login fail?',
      tools: {
        read_file: tool({
          inputSchema: z.object({ path: z.string() }),
          execute: ({ path }) => `content of ${path}`,
        }),
      },
      stopWhen: stepCountIs(50),
      experimental_telemetry: { isEnabled: true, tracer },
      abortSignal: abort.signal,
    })
    await expect(run).rejects.toThrow('read_file was called')
    await provider.close()
    expect(findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
    expect(provider.exchanges.length).toBeLessThan(10)
    expect(processor.faults).toEqual([])
  })

  it('tells before the call is made, where its span begins with the arguments', () => {
    const watched = watch()
    span(watched, AGENT, () => {
      for (let turn = 0; turn <= SPEAKS_AT; turn++) {
        const before = watched.found.length
        const attributes = { ...TOOL, 'gen_ai.tool.call.arguments': ARGS }
        span(
          watched,
          attributes,
          () => turn === SPEAKS_AT && expect(watched.found).toHaveLength(before + 1),
          {
            'gen_ai.tool.call.result': 'content',
          },
        )
      }
    })
    expect(watched.found.map(({ action }) => action)).toEqual(['warn', 'block'])
  })

  it('puts the finding on the span around the one that showed it, without its content', () => {
    const watched = watch()
    span(watched, AGENT, () => {
      for (let turn = 0; turn < SPEAKS_AT; turn++) CONVENTIONS.OpenInference?.(watched, turn)
    })
    const events = watched.exporter.getFinishedSpans().flatMap(({ events }) => events)
    expect(events.map(({ name }) => name)).toEqual(['unloop.finding'])
    expect(events[0]?.attributes).toEqual({
      'unloop.detector': 'repeated-call',
      'unloop.certainty': watched.found[0]?.certainty,
      'unloop.action': 'warn',
      'unloop.kind': watched.found[0]?.kind,
      'unloop.count': SPEAKS_AT,
      'unloop.strike': 1,
      'unloop.identity': expect.stringMatching(/^\d+$/),
      'unloop.wasted.events': watched.found[0]?.wasted.events,
      'gen_ai.tool.name': 'read_file',
    })
  })

  it('keeps the runs apart, by conversation or by trace, and goes on with one in another trace', () => {
    const watched = watch()
    const turn = (attributes: Attributes) =>
      span(watched, { ...AGENT, ...attributes }, () =>
        CONVENTIONS['attributes on spans of tools']?.(watched, 0),
      )
    for (let i = 0; i < 10; i++) turn({})
    for (let i = 0; i < 10; i++) turn({ 'gen_ai.conversation.id': `of ${i}` })
    expect(watched.found).toEqual([])
    for (let i = 0; i < SPEAKS_AT; i++) turn({ 'gen_ai.conversation.id': 'one' })
    expect(watched.found.map(({ run }) => run.conversation)).toEqual(['one'])
  })

  it.each(['attributes on spans of tools', 'messages as attributes, and tools without an id'])(
    'keeps the agents of one trace apart, one after the other or at once: %s',
    (convention) => {
      const watched = watch()
      const turn = (i: number) => CONVENTIONS[convention]?.(watched, i)
      span(watched, {}, () => {
        for (let i = 0; i < 8; i++) span(watched, AGENT, () => turn(i))
      })
      watched.tracer.startActiveSpan('batch', () => {
        const agents = Array.from({ length: 8 }, () =>
          watched.tracer.startSpan('agent', { attributes: AGENT }),
        )
        for (const [i, agent] of agents.entries()) {
          context.with(trace.setSpan(context.active(), agent), () => turn(i))
        }
      })
      expect(watched.found).toEqual([])
    },
  )

  it('goes on with an agent that is called anew for each step', () => {
    const watched = watch()
    const ai = { 'ai.operationId': 'ai.generateText' }
    span(watched, {}, () => {
      for (let i = 0; i < SPEAKS_AT; i++) {
        span(watched, ai, () => CONVENTIONS['an event a message']?.(watched, i))
        CONVENTIONS['attributes on spans of tools']?.(watched, i)
      }
    })
    expect(watched.found).toMatchObject([{ action: 'warn', tool: 'read_file' }])
  })

  it('keeps as many as the program wants', () => {
    const guards = createGuards({ max: 3 })
    const watched = watch(guards)
    for (let i = 0; i < 10; i++)
      span(watched, {
        ...TOOL,
        'gen_ai.tool.call.arguments': ARGS,
        'gen_ai.conversation.id': `${i}`,
      })
    expect(guards.size).toBe(3)
    expect(guards.of('9').events).toBeGreaterThan(0)
    expect(guards.of('0').events).toBe(0)
  })

  it('watches sub-agents on their own, by the spans around them', () => {
    const watched = watch()
    const read = CONVENTIONS['attributes on spans of tools']
    span(watched, AGENT, () => {
      for (let i = 1; i < SPEAKS_AT; i++) {
        read?.(watched, i)
        span(watched, { ...AGENT, 'gen_ai.agent.name': 'reader' }, () => read?.(watched, i))
      }
      expect(watched.found).toEqual([])
      span(watched, { ...AGENT, 'gen_ai.agent.name': 'reader' }, () => read?.(watched, 3))
    })
    expect(watched.found).toMatchObject([{ agent: 'reader' }])
  })

  it('starts over when the person asks for something else, whoever was asked in between', () => {
    const watched = watch()
    const read = CONVENTIONS['attributes on spans of tools']
    const chat = (text: string) => {
      const message = { role: 'user', parts: [{ type: 'text', content: text }] }
      span(watched, { ...CHAT, 'gen_ai.input.messages': json([message]) })
    }
    const ask = (text: string) =>
      span(watched, { ...AGENT, 'gen_ai.conversation.id': 'one' }, () => {
        chat(text)
        span(watched, { ...AGENT, 'gen_ai.agent.name': 'reader' }, () => chat('Read.'))
        read?.(watched, 0)
      })
    for (let i = 0; i < 6; i++) ask(`${i}`)
    expect(watched.found).toEqual([])
    for (let i = 0; i < SPEAKS_AT; i++) ask('again')
    expect(watched.found).toMatchObject([{ action: 'warn' }])
  })

  it.each([
    ['both have the content', true],
    ['the outer one alone has the content', false],
  ])('hears a message once of which two spans tell, where %s', (_, hasContent) => {
    const events: AgentEvent[] = []
    const watched = watch(madeBy(() => listening(events)))
    const parts = [
      { type: 'text', content: 'I will look at its state once more.' },
      { type: 'tool_call', id: 'call_0', name: 'read_file', arguments: {} },
    ]
    const content = {
      'gen_ai.input.messages': json([
        { role: 'user', parts: [{ type: 'text', content: 'Deploy it.' }] },
      ]),
      'gen_ai.output.messages': json([{ role: 'assistant', parts }]),
    }
    const chat = { ...CHAT, 'gen_ai.usage.input_tokens': 100 }
    span(watched, AGENT, () => {
      span(watched, { ...chat, ...content }, () =>
        span(watched, { ...chat, ...(hasContent && content) }),
      )
    })
    expect(events.map(({ type }) => type)).toEqual([
      'prompt',
      'turn-start',
      'text',
      'tool-call',
      'usage',
      'turn-end',
    ])
  })

  it('hears a person who repeats their words after an answer', () => {
    const watched = watch()
    const read = CONVENTIONS['attributes on spans of tools']
    const toMessage = (role: string, content: string) => ({
      role,
      parts: [{ type: 'text', content }],
    })
    const asked = toMessage('user', 'Run the checks once more.')
    for (let i = 0; i < 6; i++) {
      const past = i === 0 ? [] : [asked, toMessage('assistant', 'Done.')]
      span(watched, { ...AGENT, 'gen_ai.conversation.id': 'one' }, () => {
        span(watched, { ...CHAT, 'gen_ai.input.messages': json([...past, asked]) })
        read?.(watched, 0)
      })
    }
    expect(watched.found).toEqual([])
  })

  it('leaves a healthy run alone, and what it cannot tell apart', () => {
    const watched = watch()
    span(watched, AGENT, () => {
      for (let i = 0; i < 20; i++) {
        const args = { 'gen_ai.tool.call.arguments': `{"path":"part-${i}.ts"}` }
        span(watched, { ...TOOL, ...args, 'gen_ai.tool.call.result': `content of ${i}` })
      }
      for (let i = 0; i < 20; i++) span(watched, TOOL)
    })
    expect(watched.found).toEqual([])
    expect(watched.processor.unread).toBe(20)
    const names = watched.exporter.getFinishedSpans().flatMap(({ events }) => events)
    expect(names).toEqual([])
  })

  it('sees one error again and again without the content', () => {
    const watched = watch()
    span(watched, AGENT, () => {
      for (let i = 0; i < 8; i++) {
        span(watched, TOOL, (one) => {
          one.setStatus({ code: SpanStatusCode.ERROR, message: 'no such file or directory' })
        })
      }
    })
    expect(watched.found[0]).toMatchObject({
      action: 'warn',
      kind: expect.stringMatching('error|answer'),
    })
  })

  it('never lets a failure of ours reach the one who is traced', () => {
    const { processor, tracer } = watch(
      madeBy(() => {
        throw new Error('ours')
      }),
    )
    tracer.startSpan('call', { attributes: { ...TOOL } }).end()
    expect(processor.faults).toMatchObject([{ part: 'otel', error: new Error('ours') }])

    const guard = createGuard()
    const throwing = guardSpans(
      madeBy(() => guard),
      () => {
        throw new Error('theirs')
      },
    )
    const spans = {
      ...watch(),
      tracer: new Provider({ spanProcessors: [throwing] }).getTracer('test'),
    }
    span(spans, AGENT, () => {
      for (let i = 0; i < 5; i++) CONVENTIONS.OpenInference?.(spans, i)
    })
    expect(guard.findings.length).toBeGreaterThan(0)
    expect(guard.faults).toMatchObject([{ part: 'otel', error: new Error('theirs') }])
  })

  it('forgets all when it is shut down', async () => {
    for (const isShut of [false, true]) {
      const watched = watch()
      const attributes = { ...TOOL, 'gen_ai.tool.call.arguments': ARGS }
      const told = { 'gen_ai.conversation.id': 'one', 'gen_ai.tool.call.result': 'content' }
      for (let i = 0; i < SPEAKS_AT; i++) {
        if (i === 1) await watched.processor.forceFlush()
        if (i === SPEAKS_AT - 1 && isShut) await watched.processor.shutdown()
        span(watched, { ...attributes, ...told })
      }
      expect(watched.found).toHaveLength(isShut ? 0 : 1)
    }
  })
})

class Reader extends MetricReader {
  protected async onForceFlush() {}
  protected async onShutdown() {}
}

describe('a guard that is traced', () => {
  const call = { type: 'tool-call', name: 'read', args: { path: 'a' } } as const
  const result = { type: 'tool-result', name: 'read', output: 'content' } as const

  function loop(guard: Guard, times: number) {
    for (let i = 0; i < times; i++) {
      guard.observe(call)
      guard.observe(result)
    }
  }

  function trial(options: GuardOptions, content: boolean) {
    const exporter = new sdk.InMemorySpanExporter()
    const spanProcessors = [toProcessor(exporter)]
    const tracer = new Provider({ spanProcessors }).getTracer('test')
    const reader = new Reader()
    const meters = new MeterProvider({ readers: [reader] })
    const onFinding = toTelemetry({ trace, metrics: meters, content })
    const guard = createGuard({ ...options, onFinding })
    tracer.startActiveSpan('agent', (one) => {
      loop(guard, SPEAKS_AT + 2)
      one.end()
    })
    const events = exporter.getFinishedSpans().flatMap(({ events }) => events)
    return { guard, events, reader }
  }

  it('puts its findings on the span that is active, and counts them', async () => {
    const { guard, events, reader } = trial({}, false)
    expect(events.map(({ attributes }) => attributes?.['unloop.action'])).toEqual([
      'warn',
      'block',
      'stop',
    ])
    expect(JSON.stringify(events.map(({ attributes }) => attributes))).not.toContain('path')
    expect(guard.stopped).toBe(true)
    expect(() => guard.assert()).toThrow('read was called')
    expect(guard.faults).toEqual([])
    const { resourceMetrics } = await reader.collect()
    const metric = resourceMetrics.scopeMetrics[0]?.metrics[0]
    expect(metric?.descriptor).toMatchObject({ name: 'unloop.findings', unit: '{finding}' })
    expect(metric?.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual(
      guard.findings.map(({ certainty, action }) => [
        {
          'unloop.detector': 'repeated-call',
          'unloop.certainty': certainty,
          'unloop.action': action,
        },
        1,
      ]),
    )
  })

  it('says which of its findings are only likely', async () => {
    const oracle = createOracle('tool-call', (_, count) =>
      count > SPEAKS_AT ? 'certain' : 'likely',
    )
    const { events, reader } = trial({ detectors: [oracle] }, false)
    const certainties = ['likely', 'certain', 'certain']
    expect(events.map(({ attributes }) => attributes?.['unloop.certainty'])).toEqual(certainties)
    const { resourceMetrics } = await reader.collect()
    const points = resourceMetrics.scopeMetrics[0]?.metrics[0]?.dataPoints
    expect(points?.map(({ attributes }) => attributes['unloop.certainty'])).toEqual(certainties)
  })

  it('tells what was called where it is asked to', () => {
    const { events } = trial({}, true)
    expect(events[0]?.attributes).toMatchObject({
      'unloop.detail': expect.stringContaining(`read was called ${SPEAKS_AT} times`),
      'unloop.sample': expect.stringContaining('path'),
      'unloop.advice': expect.any(String),
    })
  })

  it('tells what a guard that only looks on would have done', () => {
    const { events, guard } = trial({ mode: 'observe' }, false)
    expect(events).toHaveLength(3)
    expect(guard.stopped).toBe(false)
  })

  it('tells what others found', () => {
    const judged: string[] = []
    const metrics = {
      getMeter: () => ({
        createCounter: () => ({
          add: (_: number, labels: object) => judged.push(json(labels)),
        }),
      }),
    }
    const guard = createGuard({ onFinding: toTelemetry({ metrics }) })
    loop(guard, SPEAKS_AT)
    guard.report({ ...(guard.findings[0] as Finding), detector: 'judge', identity: 'other' })
    expect(guard.findings).toHaveLength(2)
    expect(judged).toEqual([
      expect.stringContaining('repeated-call'),
      expect.stringContaining('judge'),
    ])
  })

  it('tells of a finding that is counted on only once', () => {
    const added: number[] = []
    const counter = { add: (count: number) => added.push(count) }
    const telemetry = { metrics: { getMeter: () => ({ createCounter: () => counter }) } }
    const guard = createGuard({ onFinding: toTelemetry(telemetry) })
    for (let i = 0; i < 8; i++) {
      guard.observe({ type: 'tool-call', name: 'bash', args: { command: 'make' } })
      guard.observe({ type: 'tool-result', output: 'built 3 files' })
    }
    expect(added).toHaveLength(guard.findings.length)
  })

  it('is a guard for the other adapters', async () => {
    const exporter = new sdk.InMemorySpanExporter()
    const spanProcessors = [toProcessor(exporter)]
    const tracer = new Provider({ spanProcessors }).getTracer('test')
    const guard = createGuard({ onFinding: toTelemetry({ trace }) })
    const tools = guardClient(guard, { callTool: async (_: object) => ({ content: [] }) })
    await tracer.startActiveSpan('agent', async (one) => {
      for (let i = 0; i <= SPEAKS_AT; i++) await tools.callTool({ name: 'read' })
      one.end()
    })
    const events = exporter.getFinishedSpans().flatMap(({ events }) => events)
    expect(events.map(({ attributes }) => attributes?.['unloop.action'])).toEqual(['warn', 'block'])
  })

  it('tells nobody where nobody listens, and goes on from a reset', () => {
    const guard = createGuard({ onFinding: toTelemetry({ trace, metrics }) })
    loop(guard, 6)
    guard.reset()
    loop(guard, SPEAKS_AT)
    expect(guard.findings.map(({ action }) => action)).toEqual(['warn'])
    expect(guard.faults).toEqual([])
  })

  it('never lets a failure of the telemetry reach the agent', () => {
    const failing = {
      getActiveSpan() {
        throw new Error('theirs')
      },
    }
    const guard = createGuard({ onFinding: toTelemetry({ trace: failing }) })
    loop(guard, 6)
    expect(guard.stopped).toBe(true)
    expect(guard.faults).toMatchObject([{ part: 'onFinding', error: new Error('theirs') }])
  })
})
