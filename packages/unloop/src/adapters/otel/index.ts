import type { Fault } from '../../fault.js'
import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { runOf } from '../../host/run.js'
import { bad } from '../../options.js'
import { callKey } from '../../reading/call-key.js'
import { createReader, type Span } from './spans.js'

export interface Telemetry {
  /** `metrics` of `@opentelemetry/api` */
  metrics?: { getMeter(name: string): Meter }
  /** put what was called and said on the event too; it may be private */
  content?: boolean
}

/**
 * An `onFinding` for `createGuard`: an event `unloop.finding` on the span that is active, and a counter `unloop.findings`.
 *
 * @example
 * import { metrics, trace } from '@opentelemetry/api'
 * const guard = createGuard({ onFinding: toTelemetry({ trace, metrics }) })
 */
export function toTelemetry({
  trace,
  ...telemetry
}: Telemetry & { trace?: { getActiveSpan(): Events | undefined } }): (finding: Finding) => void {
  const report = createReport(telemetry)
  return (finding) => report(finding, trace?.getActiveSpan())
}

/** A run that was seen through its spans. */
export interface SpanRun {
  guard: Guard
  traceId: string
  /** `gen_ai.conversation.id`, where the spans have one */
  conversation: string | undefined
}

/**
 * A span processor that guards every agent whose spans it sees: one guard per conversation, or else per agent of a trace. It cannot end a
 * run by itself: the callback can, by whatever your program has for that.
 *
 * @example
 * const stop = (finding, { traceId }) => finding.action === 'stop' && runs.get(traceId)?.abort()
 * const processor = guardSpans(createGuards(), stop)
 * const provider = new NodeTracerProvider({ spanProcessors: [processor] })
 */
export function guardSpans(
  guards: Guards,
  onFinding: (finding: Finding, run: SpanRun) => unknown,
  telemetry: Telemetry = {},
) {
  if (!isGuards(guards)) throw bad('guardSpans', 'takes createGuards() and a function', guards)
  const report = createReport(telemetry)
  const faults: Fault[] = []
  const reader = createReader(({ name, traceId, conversation }) => {
    const run: SpanRun = { guard: guards.of(name), traceId, conversation }
    return listen(run.guard, (finding) => {
      report(finding, reader.current)
      onFinding(finding, run)
    })
  })

  let isShut = false

  function read(span: Span, isOver: boolean): void {
    if (isShut) return
    try {
      reader.read(span, isOver)
    } catch (error) {
      if (faults.length === 0) faults.push({ part: 'otel', error })
    }
  }

  return {
    onStart: (span: Span): void => read(span, false),
    onEnd: (span: Span): void => read(span, true),
    forceFlush: async (): Promise<void> => {},
    shutdown: async (): Promise<void> => {
      isShut = true
      reader.forget()
    },
    /** what failed before there was a guard to tell */
    faults: faults as readonly Fault[],
    /** how many calls had neither arguments nor an answer on their spans: nothing can be told of them */
    get unread(): number {
      return reader.unread
    },
  }
}

// The fields we use of the API's types; `otel.test-d.ts` holds them against it.

interface Events {
  addEvent(name: string, attributes: Attributes): unknown
}

interface Meter {
  createCounter(
    name: string,
    options: { description: string; unit: string },
  ): { add(count: number, attributes: Attributes): void }
}

type Attributes = Record<string, string | number | boolean>

function createReport({ metrics, content }: Telemetry) {
  const counter = metrics?.getMeter('unloop').createCounter('unloop.findings', {
    description: 'Loops that were found',
    unit: '{finding}',
  })
  return (finding: Finding, span: Events | undefined): void => {
    const { detector, certainty, action, wasted, tool, agent } = finding
    const labels = {
      'unloop.detector': detector,
      'unloop.certainty': certainty,
      'unloop.action': action,
    }
    counter?.add(1, labels)
    span?.addEvent('unloop.finding', {
      ...labels,
      'unloop.kind': finding.kind,
      'unloop.count': finding.count,
      'unloop.strike': finding.strike,
      // the name itself may hold arguments
      'unloop.identity': callKey(finding.identity),
      'unloop.wasted.events': wasted.events,
      ...(wasted.tokens !== undefined && { 'unloop.wasted.tokens': wasted.tokens }),
      ...(tool !== undefined && { 'gen_ai.tool.name': tool }),
      ...(agent !== undefined && { 'gen_ai.agent.name': agent }),
      ...(content && {
        'unloop.detail': finding.detail,
        'unloop.advice': finding.advice,
        'unloop.sample': finding.sample,
      }),
    })
  }
}

/** The same guard, with a listener of this processor beside the one that the program gave it. */
function listen(guard: Guard, hear: (finding: Finding) => void): Guard {
  const { attempt } = runOf(guard, 'otel')
  let last = guard.findings.at(-1)
  function tell<Result>(result: Result): Result {
    attempt(() => {
      const { findings } = guard
      const fresh = findings.slice(findings.lastIndexOf(last as Finding) + 1)
      last = findings.at(-1)
      fresh.forEach(hear)
    })
    return result
  }
  const observe: Guard['observe'] = (event) => tell(guard.observe(event))
  const report: Guard['report'] = (finding) => tell(guard.report(finding))
  return Object.create(guard, { observe: { value: observe }, report: { value: report } })
}
