import { context, metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unloop } from '../../../test/host.js'

const spans = new InMemorySpanExporter()
const measures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter: measures, exportIntervalMillis: 1e8 })

beforeAll(() => {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register()
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
})
beforeEach(() => spans.reset())
afterAll(async () => {
  await reader.shutdown()
  trace.disable()
  metrics.disable()
  context.disable()
})

const chat = (prompt: string, env: NodeJS.ProcessEnv = {}, ...args: string[]) =>
  unloop(['chat', '-p', prompt, ...args], { env })

describe('the telemetry of a chat', () => {
  it('has a span per prompt, per request to a model and per call', async () => {
    await chat('What is unloop?')
    const finished = spans.getFinishedSpans()
    const agent = finished.find(({ name }) => name === 'invoke_agent unloop chat')
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.request.model': 'embedded/demo',
      'unloop.turns': 2,
    })
    const requests = finished.filter(({ name }) => name === 'chat demo')
    expect(requests).toHaveLength(2)
    expect(requests[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'embedded',
      'gen_ai.usage.output_tokens': expect.any(Number),
      'gen_ai.response.finish_reasons': ['tool-calls'],
    })
    const calls = finished.filter(({ name }) => name.startsWith('execute_tool '))
    expect(calls).toHaveLength(1)
    for (const span of [...requests, ...calls]) {
      expect(span.parentSpanContext?.spanId).toBe(agent?.spanContext().spanId)
    }
  })

  it('has findings as events, and says that a loop ended the prompt', async () => {
    await chat('/stuck repeated-call')
    const agent = spans.getFinishedSpans().find(({ name }) => name.startsWith('invoke_agent'))
    expect(agent?.attributes['unloop.stopped']).toBe(true)
    expect(agent?.events.map(({ name }) => name)).toContain('unloop.finding')
    expect(agent?.events.at(-1)?.attributes).toMatchObject({
      'unloop.detector': 'repeated-call',
      'unloop.action': 'stop',
    })
  })

  it('counts findings, tokens and durations', async () => {
    await chat('/stuck repeated-call')
    await reader.forceFlush()
    const names = measures
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      .map(({ descriptor }) => descriptor.name)
    for (const name of [
      'unloop.findings',
      'gen_ai.client.token.usage',
      'gen_ai.client.operation.duration',
    ])
      expect(names).toContain(name)
  })

  it('tells nothing of what was said unless it is asked to', async () => {
    const told = () => JSON.stringify(spans.getFinishedSpans().map(({ attributes }) => attributes))
    await chat('What is the zebra of unloop?')
    expect(told()).not.toContain('zebra')
    await chat('What is the zebra of unloop?', {
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    })
    expect(told()).toContain('zebra')
  })

  it('says why a request failed', async () => {
    const args = ['--model', 'ollama/x', '--base-url', 'http://127.0.0.1:1/v1']
    expect((await chat('hello', {}, ...args)).code).toBe(4)
    for (const name of ['chat x', 'invoke_agent unloop chat']) {
      const span = spans.getFinishedSpans().find((each) => each.name === name)
      expect(span?.attributes['error.type']).toBe('network')
      expect(span?.status.code).toBe(SpanStatusCode.ERROR)
    }
  })
})
