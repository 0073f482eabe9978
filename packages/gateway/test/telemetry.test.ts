import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { startProvider } from '@unloop/testing'
import { expect, it } from 'vitest'
import { startGateway } from '../src/index.js'
import { createAgent } from './agent.js'

it('puts findings on a span for each request, without content', async () => {
  const exporter = new InMemorySpanExporter()
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
  const provider = await startProvider(() => ({
    calls: [{ name: 'read', args: { path: 'sesame' } }],
  }))
  const gateway = await startGateway({
    listen: { port: 0 },
    upstreams: { openai: { url: provider.url } },
  })
  const agent = createAgent('openai-chat', 'Read it', { output: () => 'open: no such file' })
  for (let i = 0; i < 5; i++) await agent.ask(gateway.url)
  await gateway.close()
  await provider.close()

  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ attributes }) => attributes['unloop.verdict'])).toEqual([
    'go',
    'go',
    'go',
    'nudge',
    'respond',
  ])
  expect(spans.flatMap(({ events }) => events.map(({ name }) => name))).toEqual([
    'unloop.finding',
    'unloop.finding',
  ])
  expect(JSON.stringify(spans.map(({ events, attributes }) => [events, attributes]))).not.toMatch(
    /sesame|no such file|sk-test/,
  )
})
