// Compiled, never run: what the adapter takes and gives must fit the API and the SDK.
import { metrics, trace } from '@opentelemetry/api'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import * as next from 'opentelemetry-api'
import { createGuard } from '../../guard.js'
import { createGuards } from '../../host/guards.js'
import { guardSpans, toTelemetry } from './index.js'

export function api() {
  createGuard({ onFinding: toTelemetry({ trace, metrics }) })
  createGuard({
    onFinding: toTelemetry({ trace: next.trace, metrics: next.metrics, content: true }),
  })
  createGuard({ onFinding: toTelemetry({ metrics: new MeterProvider() }) })
}

export function sdk() {
  const processor: SpanProcessor = guardSpans(
    createGuards(),
    (finding, { guard, traceId, conversation }) => {
      conversation satisfies string | undefined
      return guard.stopped && [finding.detail, traceId]
    },
  )
  const other = guardSpans(createGuards(), () => {}, { metrics, content: true })
  return new BasicTracerProvider({ spanProcessors: [processor, other] })
}
