import type { ServerResponse } from 'node:http'
import { type Span, trace } from '@opentelemetry/api'
import type { Begun } from '../guard/guardian.js'

const tracer = trace.getTracer('@unloop/gateway')

/** Guards a request within a span, which ends with its answer and carries what was found. Without a telemetry SDK it costs nothing. */
export function traced(
  upstream: string,
  protocol: string,
  response: ServerResponse,
  guard: () => Promise<Begun | undefined>,
): Promise<Begun | undefined> {
  return tracer.startActiveSpan('unloop.gateway', async (span) => {
    if (!span.isRecording()) return guard()
    span.setAttributes({ 'unloop.upstream': upstream, 'unloop.protocol': protocol })
    endWith(response, span)
    const begun = await guard()
    if (begun) span.setAttributes({ 'unloop.verdict': begun.verdict, 'unloop.session': begun.id })
    return begun
  })
}

/** Not inside of the other, where it would keep the request as long as its answer takes. */
function endWith(response: ServerResponse, span: Span): void {
  response.once('close', () => {
    span.setAttribute('http.response.status_code', response.statusCode)
    span.end()
  })
}
