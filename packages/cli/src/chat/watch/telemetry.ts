import {
  type Attributes,
  context,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Agent, Model, Tool } from '@unloop/agent'
import { toTelemetry } from 'unloop/otel'
import { createRequestMetrics, type RequestMetrics } from './telemetry-metrics.js'
import { type Watcher, withRuns } from './watcher.js'

/**
 * Tells an OpenTelemetry SDK what happens, by the conventions for generative AI: a span per prompt, per request to a
 * model and per call of a tool, with findings as events. What was said is told only if the environment asks for it.
 */
export function createTelemetryWatcher(env: NodeJS.ProcessEnv): Watcher {
  const content = env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === 'true'
  const requests = createRequestMetrics(metrics.getMeter(NAME))
  return {
    model: (model) => tracedModel(model, requests),
    tool: (tool) => tracedTool(tool, content),
    agent: (agent) => tracedAgent(agent, content),
    log: (log) => log,
    found: toTelemetry({ trace, metrics, content }),
  }
}

const NAME = '@unloop/cli'
const AGENT = 'unloop chat'

const tracer = () => trace.getTracer(NAME)

/** A span per run; whatever the run does belongs to it. */
function tracedAgent(agent: Agent, content: boolean): Agent {
  return withRuns(agent, async function* (run, { name, request }) {
    const span = tracer().startSpan(`invoke_agent ${AGENT}`, {
      kind: SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': AGENT,
        'gen_ai.request.model': agent.model.name,
        'unloop.run': name,
        ...(content && request !== undefined && { 'gen_ai.input.messages': messageOf(request) }),
      },
    })
    const within = trace.setSpan(context.active(), span)
    try {
      for (;;) {
        const next = await context.with(within, () => run.next())
        if (next.done) return
        if (next.value.type === 'error') fail(span, next.value.kind, next.value.message)
        if (next.value.type === 'loop_detected') span.setAttribute('unloop.stopped', true)
        yield next.value
      }
    } catch (error) {
      fail(span, 'internal', (error as Error).message)
      throw error
    } finally {
      await context.with(within, () => run.return())
      span.setAttributes({ 'unloop.turns': agent.turn, ...usageOf(agent.usage.prompt) })
      span.end()
    }
  })
}

const messageOf = (text: string) =>
  JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }])

/** A span per request, with its tokens. */
function tracedModel(model: Model, requests: RequestMetrics): Model {
  const [provider = '', ...rest] = model.name.split('/')
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': PROVIDERS[provider] ?? provider,
    'gen_ai.request.model': rest.join('/') || provider,
  }
  return {
    ...model,
    async *stream(request, signal) {
      const name = `chat ${attributes['gen_ai.request.model']}`
      const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes })
      const start = performance.now()
      const used = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
      let problem: string | undefined
      try {
        for await (const event of model.stream(request, signal)) {
          if (event.type === 'usage') {
            used.inputTokens += event.inputTokens ?? 0
            used.cachedTokens += event.cachedTokens ?? 0
            used.outputTokens += event.outputTokens ?? 0
          }
          if (event.type === 'finish')
            span.setAttribute('gen_ai.response.finish_reasons', [event.reason])
          yield event
        }
      } catch (error) {
        const { kind = 'internal', message } = error as Error & { kind?: string }
        problem = signal.aborted ? 'aborted' : kind
        fail(span, problem, message)
        throw error
      } finally {
        span.setAttributes(usageOf(used))
        span.end()
        requests.add(attributes, { seconds: (performance.now() - start) / 1000, problem, ...used })
      }
    },
  }
}

// as the conventions call them
const PROVIDERS: Record<string, string> = { google: 'gcp.gemini' }

/** A span per call that runs. */
function tracedTool(tool: Tool, content: boolean): Tool {
  return {
    ...tool,
    execute(args, toolContext) {
      const attributes: Attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'gen_ai.tool.type': 'function',
        ...(content && { 'gen_ai.tool.call.arguments': JSON.stringify(args) }),
      }
      return tracer().startActiveSpan(
        `execute_tool ${tool.name}`,
        { kind: SpanKind.INTERNAL, attributes },
        async (span) => {
          try {
            const output = await tool.execute(args, toolContext)
            if (content) span.setAttribute('gen_ai.tool.call.result', output)
            return output
          } catch (error) {
            fail(span, 'tool', content ? (error as Error).message : undefined)
            throw error
          } finally {
            span.end()
          }
        },
      )
    },
  }
}

function fail(span: Span, type: string, message?: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
}

const usageOf = (used: { inputTokens: number; cachedTokens: number; outputTokens: number }) => ({
  'gen_ai.usage.input_tokens': used.inputTokens,
  'gen_ai.usage.cache_read.input_tokens': used.cachedTokens,
  'gen_ai.usage.output_tokens': used.outputTokens,
})
