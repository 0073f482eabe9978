import type { RecordFormat } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { parse } from '../partial-json.js'
import { answerIn, kindOf } from './otlp-attributes.js'
import { createSpanReader, type Span } from './otlp-spans.js'

/** TRAIL and other exports of Patronus: spans with the spans below them, one tree a trace. */
export const trail: RecordFormat = {
  name: 'trail',
  title: 'TRAIL, span trees',
  stage: 'experimental',
  container: 'records',
  layouts: ['document', 'lines'],
  detect: ({ records }) =>
    records.some(
      (record) => isTree(record) || listOf(record.spans).some((span) => isTree(objectOf(span))),
    ),
  start(sink) {
    const read = createSpanReader(sink)
    return {
      read(record, key) {
        const roots = isTree(record)
          ? [record]
          : key === ''
            ? listOf(record.spans).filter(isObject)
            : []
        read(roots.flatMap(spansBelow))
        return undefined
      },
    }
  },
}

const isTree = ({ span_id, span_name, span_attributes, child_spans }: Json) =>
  textOf(span_id) !== undefined &&
  textOf(span_name) !== undefined &&
  (isObject(span_attributes) || Array.isArray(child_spans))

// no agent nests as deep
const MAX_DEPTH = 100

function spansBelow(root: Json): Span[] {
  const spans: Span[] = []
  const open = [{ span: root, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { span, depth } = next
    const children = listOf(span.child_spans).filter(isObject)
    spans.push(toSpan(span), ...codeOf(span, children))
    if (depth < MAX_DEPTH)
      for (const child of children) open.push({ span: child, depth: depth + 1 })
  }
  return spans
}

function toSpan(span: Json): Span {
  const start = timeOf(span.timestamp) ?? 0
  return {
    trace: textOf(span.trace_id) ?? '',
    id: textOf(span.span_id) ?? '',
    parent: textOf(span.parent_span_id) ?? '',
    name: textOf(span.span_name) ?? '',
    start,
    end: start + msOf(span.duration),
    failed: span.status_code === 'Error',
    message: textOf(span.status_message),
    attributes: plain(objectOf(span.span_attributes)),
    service: undefined,
  }
}

/** An agent that acts by code has it in its words: a step runs it, and has what it printed. */
function codeOf(step: Json, children: readonly Json[]): Span[] {
  if (!/^Step \d{1,6}$/.test(textOf(step.span_name) ?? '')) return []
  const answer = children.map(toSpan).find(({ attributes }) => kindOf(attributes) === 'model')
  const parts = answerIn(answer?.attributes ?? {}).flatMap(({ parts }) => listOf(parts))
  const code = parts.map((part) => codeIn(textOf(objectOf(part).content) ?? '')).find(Boolean)
  if (!answer || code === undefined) return []
  const span = toSpan(step)
  const attributes = {
    'openinference.span.kind': 'TOOL',
    'tool.name': 'python_interpreter',
    'input.value': { code },
    'output.value': objectOf(step.span_attributes)['output.value'] ?? '',
  }
  // it begins when the answer is complete
  return [{ ...span, id: `${span.id} code`, parent: span.id, start: answer.end, attributes }]
}

function codeIn(text: string): string | undefined {
  const start = text.indexOf('```py')
  const from = start < 0 ? -1 : text.indexOf('\n', start)
  const to = from < 0 ? -1 : text.indexOf('```', from)
  return from < 0 ? undefined : text.slice(from + 1, to < 0 ? undefined : to).trim()
}

/** Values that are JSON are written as text. */
const plain = (attributes: Json): Json =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' && /^[[{]/.test(value) ? (parse(value) ?? value) : numeric(value),
    ]),
  )

const numeric = (value: unknown) =>
  typeof value === 'string' && /^\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value

/** Milliseconds of `PT1H2M43.56S`. */
function msOf(duration: unknown): number {
  const [, hours, minutes, seconds] = DURATION.exec(textOf(duration)?.slice(0, 100) ?? '') ?? []
  const ms = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000
  return numberOf(ms) ?? 0
}

const DURATION = /^PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:\.\d{1,9})?)S)?$/
