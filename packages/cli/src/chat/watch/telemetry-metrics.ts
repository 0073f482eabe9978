import type { Attributes, Meter } from '@opentelemetry/api'

/** Counts requests to models. */
export interface RequestMetrics {
  add(attributes: Attributes, request: CountedRequest): void
}

interface CountedRequest {
  seconds: number
  inputTokens: number
  outputTokens: number
  /** the kind of error it ended with */
  problem: string | undefined
}

export function createRequestMetrics(meter: Meter): RequestMetrics {
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'Duration of requests to models',
    unit: 's',
  })
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Tokens of requests to models',
    unit: '{token}',
  })
  return {
    add(attributes, { seconds, inputTokens, outputTokens, problem }) {
      durations.record(seconds, { ...attributes, ...(problem && { 'error.type': problem }) })
      if (inputTokens > 0) tokens.record(inputTokens, typed(attributes, 'input'))
      if (outputTokens > 0) tokens.record(outputTokens, typed(attributes, 'output'))
    },
  }
}

const typed = (attributes: Attributes, type: 'input' | 'output'): Attributes => ({
  ...attributes,
  'gen_ai.token.type': type,
})
