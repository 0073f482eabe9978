// Compiled, never run: what the adapter takes and gives must fit the API and the SDK.
import { metrics, trace } from '@opentelemetry/api'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import * as next from 'opentelemetry-api'
import { createGuard } from '../../guard.js'
import { guardSpans, traceGuard } from './index.js'

export function api() {
  traceGuard(createGuard(), { trace, metrics })
  traceGuard(createGuard(), { trace: next.trace, metrics: next.metrics, content: true })
  traceGuard(createGuard(), { metrics: new MeterProvider() })
}

export function sdk() {
  const processor: SpanProcessor = guardSpans((finding, { guard, traceId, conversation }) => {
    conversation satisfies string | undefined
    return guard.stopped && [finding.detail, traceId]
  })
  const other = guardSpans(() => {}, { metrics, content: true, guard: () => createGuard() })
  return new BasicTracerProvider({ spanProcessors: [processor, other] })
}
