import { refuseContents } from './history.js'
import type { Context, Protocol } from './protocol.js'
import { type CompleteAnswer, type Finish, toPieces } from './reply.js'

/** Gemini's `generateContent`, in one piece and as a stream. */
export const gemini: Protocol = {
  name: 'gemini',
  path: /^\/v1(?:beta)?\/models\/[^/]+:(?:streamG|g)enerateContent$/,
  isStream: (path) => path.includes(':streamGenerateContent'),
  refuse: refuseContents,

  stream(answer, context) {
    const chunk = (parts: object[], fields: object = {}) =>
      toData({
        candidates: [{ content: { parts, role: 'model' }, index: 0, ...fields }],
        usageMetadata: toUsage(answer),
        ...head(context),
      })
    const calls = toCalls(answer, context)
    return [
      ...toPieces(answer.reasoning).map((text) => chunk([{ text, thought: true }])),
      ...toPieces(answer.text).map((text) => chunk([{ text }])),
      ...(calls.length > 0 ? [chunk(calls)] : []),
      chunk([{ text: '' }], { finishReason: FINISH[answer.finish] }),
    ]
  },

  whole(answer, context) {
    const parts = [
      ...(answer.reasoning ? [{ text: answer.reasoning, thought: true }] : []),
      ...(answer.text ? [{ text: answer.text }] : []),
      ...toCalls(answer, context),
    ]
    const finishReason = FINISH[answer.finish]
    return {
      candidates: [{ content: { parts, role: 'model' }, finishReason, index: 0 }],
      usageMetadata: toUsage(answer),
      ...head(context),
    }
  },

  error: (status, message) => ({
    error: { code: status, message, status: ERRORS[status] ?? 'INTERNAL' },
  }),
  streamError: (message) => toData({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
}

const FINISH: Record<Finish, string> = {
  stop: 'STOP',
  // calls are not a finish reason here
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  refused: 'SAFETY',
}

const ERRORS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

/** This provider uses the line ends of HTTP. */
const toData = (value: unknown) => `data: ${JSON.stringify(value)}\r\n\r\n`

const head = ({ turn, model }: Context) => ({ modelVersion: model, responseId: `response-${turn}` })

/** Calls come in one piece; the first of several parallel ones carries the signature. */
const toCalls = ({ calls }: CompleteAnswer, { turn }: Context) =>
  calls.map(({ id, name, json }, index) => ({
    functionCall: { ...(id && { id }), name, args: toArgs(json) },
    ...(index === 0 && { thoughtSignature: `signature-of-turn-${turn}` }),
  }))

function toArgs(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

const toUsage = ({ usage }: CompleteAnswer) => ({
  promptTokenCount: usage.inputTokens,
  cachedContentTokenCount: usage.cachedTokens,
  candidatesTokenCount: usage.outputTokens,
  totalTokenCount: usage.inputTokens + usage.outputTokens,
})
