import type { RecordFormat } from '../format.js'
import { isObject, isTime, type Json, listOf, numberOf, objectOf, textOf } from '../json.js'
import { parse } from '../partial-json.js'
import { createSpanReader, type Span } from './otlp-spans.js'

/** Traces as OpenTelemetry writes them to a file, with the `gen_ai.*` attributes. */
export const otlp: RecordFormat = {
  name: 'otlp',
  title: 'OTLP JSON',
  stage: 'stable',
  container: 'records',
  // a batch on one line is longer than what is looked at, and is cut up as a document, too
  layouts: ['document', 'lines'],
  detect: ({ records }) =>
    records.some(
      ({ resourceSpans, batches }) =>
        Array.isArray(resourceSpans) || listOf(batches).some((one) => spansIn(objectOf(one))),
    ),

  start(sink) {
    const read = createSpanReader(sink)
    return {
      read(record, key) {
        const isOne = key === 'resourceSpans' || key === 'batches'
        const resources = isOne
          ? [record]
          : [...listOf(record.resourceSpans), ...listOf(record.batches)]
        read(resources.filter(isObject).flatMap(spansOf))
        return undefined
      },
    }
  },
}

const spansIn = ({ scopeSpans }: Json) => Array.isArray(scopeSpans)

function spansOf(resource: Json): Span[] {
  const service = textOf(attributesOf(objectOf(resource.resource).attributes)['service.name'])
  const named = service?.startsWith('unknown_service') ? undefined : service
  return [...listOf(resource.scopeSpans), ...listOf(resource.instrumentationLibrarySpans)]
    .filter(isObject)
    .flatMap((scope) =>
      listOf(scope.spans)
        .filter(isObject)
        .map((span) => toSpan(span, named)),
    )
}

const toSpan = (span: Json, service: string | undefined): Span => ({
  trace: textOf(span.traceId) ?? '',
  id: textOf(span.spanId) ?? '',
  parent: textOf(span.parentSpanId) ?? '',
  name: textOf(span.name) ?? '',
  start: toMs(span.startTimeUnixNano),
  end: toMs(span.endTimeUnixNano),
  failed: isFailed(objectOf(span.status).code),
  message: textOf(objectOf(span.status).message),
  attributes: attributesOf(span.attributes),
  service,
})

function toMs(nanos: unknown): number {
  const ms = Math.round(countOf(nanos) / 1e6)
  return isTime(ms) ? ms : 0
}
const isFailed = (code: unknown) => code === 2 || code === 'STATUS_CODE_ERROR'

/** A number that may be written as a text, as those beyond 2^53 are. */
const countOf = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN

// values of attributes are lists of plain ones at most; deeper ones are left out
const MAX_DEPTH = 100

function attributesOf(list: unknown, depth = 0): Json {
  const attributes: [key: string, value: unknown][] = []
  for (const attribute of listOf(list)) {
    if (!isObject(attribute) || typeof attribute.key !== 'string') continue
    attributes.push([attribute.key, plainOf(attribute.value, depth)])
  }
  return Object.fromEntries(attributes)
}

/** An attribute's value; the texts of messages and arguments are JSON themselves. */
function plainOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return
  const any = objectOf(value)
  if (typeof any.stringValue === 'string') return jsonIn(any.stringValue)
  if (any.intValue !== undefined) return countOf(any.intValue)
  if (any.doubleValue !== undefined) return numberOf(any.doubleValue)
  if (any.boolValue !== undefined) return any.boolValue
  if (isObject(any.arrayValue)) {
    return listOf(any.arrayValue.values).map((one) => plainOf(one, depth + 1))
  }
  if (isObject(any.kvlistValue)) return attributesOf(any.kvlistValue.values, depth + 1)
}

const jsonIn = (text: string) => (/^\s*[[{]/.test(text.slice(0, 20)) ? (parse(text) ?? text) : text)
