import { redact } from 'unloop'
import { LENGTH_ADVICE, ModelError, type ModelErrorKind } from '../model.js'
import { retryAfterMs } from './retry-after.js'

/** What an error has to say about a model, and must not say. */
export interface ErrorContext {
  name: string
  /** what to do if the key is refused */
  keyAdvice?: string
  /** what to do without a connection */
  networkAdvice?: string
  /** what to do if the model is not found */
  nameAdvice?: string
  /** texts that must never be shown */
  secrets?: readonly string[]
}

/** Whatever an SDK, a provider or the network threw, in words for the person. */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  if (error instanceof ModelError) return error
  const status = statusOf(error)
  if (status !== undefined) return ofStatus(status, error, context)
  const { name } = context
  const why = toWords(causeOf(error), context)
  const names = chainOf(error).map((one) => String(one.name ?? ''))
  if (names.some((one) => CONFIGURATION.test(one))) {
    return new ModelError('configuration', `${name} cannot be called: ${why}`)
  }
  if (names.some((one) => MALFORMED.test(one))) {
    return new ModelError('malformed', `${name} sent an invalid response: ${why}`, {
      advice: 'Try again. If it keeps happening, check the base URL.',
    })
  }
  // a status of 200 without an end: the answer had begun
  const what = (error as ApiError)?.statusCode ? 'lost the connection to' : 'no connection to'
  return new ModelError('network', `${what} ${name}: ${why}`, {
    advice: context.networkAdvice ?? 'Check the network and the base URL.',
  })
}

const CONFIGURATION = /LoadAPIKey|LoadSetting|Unsupported|InvalidArgument|InvalidPrompt/
const MALFORMED = /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody/

function ofStatus(status: number, error: unknown, context: ErrorContext): ModelError {
  const { responseHeaders, responseBody = '', message: said, code } = error as ApiError
  // and nothing else of it: the request is in there too, and may be about such errors
  const text = `${responseBody} ${said} ${code}`
  const [kind, what, advice] = verdictOn(status, text, context)
  const words = toWords(typeof error === 'string' ? error : said, context)
  const message = `${context.name} ${what} (${status}): ${words}`
  const waitMs = kind === 'refused' ? undefined : retryAfterMs(responseHeaders, responseBody)
  return new ModelError(kind, message, {
    advice,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  })
}

type Verdict = [kind: ModelErrorKind, what: string, advice: string]

function verdictOn(status: number, text: string, context: ErrorContext): Verdict {
  if (/insufficient_quota|credit balance is too low/.test(text) || status === 402) {
    return ['refused', 'has no credit left', 'Check the plan and the billing of the account.']
  }
  if (status === 429) {
    return ['rate-limit', 'wants fewer requests', 'Wait a little, or use another model.']
  }
  if (status >= 500 || status === 408 || status === 409) {
    return ['overloaded', 'is out of order', 'Try again later, or use another model.']
  }
  // Gemini calls a wrong key a bad request
  if (status === 401 || status === 403 || /API_KEY_INVALID|API key not valid/.test(text)) {
    return ['refused', 'does not accept the key', context.keyAdvice ?? 'Check the API key.']
  }
  if (status === 404) {
    return ['refused', 'was not found', context.nameAdvice ?? 'Check the name of the model.']
  }
  if (status === 413 || TOO_LONG.test(text)) {
    return ['too-long', 'cannot take a chat of this length', LENGTH_ADVICE]
  }
  return ['refused', 'refused the request', 'Check the name of the model and what it can do.']
}

const TOO_LONG =
  /context_length_exceeded|prompt is too long|input is too long|maximum context length|exceeds the (?:context window|available context size|maximum number of tokens)/

/** The fields of the AI SDK's `APICallError`, and of the errors providers put into a stream. */
interface ApiError {
  name?: string
  message?: string
  statusCode?: number
  type?: string
  code?: unknown
  cause?: unknown
  responseHeaders?: Record<string, string>
  responseBody?: string
}

/** The status of an error, also of one that came inside a stream of status 200. */
function statusOf(error: unknown): number | undefined {
  if (typeof error === 'string') return 500
  const { statusCode, type, code, name } = (error ?? {}) as ApiError
  if (statusCode !== undefined) return statusCode >= 400 ? statusCode : undefined
  if (name !== undefined || typeof type !== 'string') return
  return STATUS[type] ?? STATUS[String(code)] ?? 500
}

const STATUS: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  overloaded_error: 529,
}

function chainOf(error: unknown): ApiError[] {
  const chain: ApiError[] = []
  for (let one = error; one instanceof Object && chain.length < 5; one = (one as ApiError).cause) {
    chain.push(one as ApiError)
  }
  return chain
}

/** What was wrong in the first place: SDKs wrap it in words that tell a person less. */
function causeOf(error: unknown): string | undefined {
  const words = chainOf(error).map(({ message, code }) => message || code)
  const last = words.findLast((word) => typeof word === 'string' && word !== '')
  return last as string | undefined
}

// shorter ones are not keys, and would be found in any sentence
const MIN_SECRET = 8

/** The words without secrets, and not at length. */
function toWords(words: string | undefined, { secrets = [] }: ErrorContext): string {
  const shown = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .reduce((text, secret) => text.replaceAll(secret, '[key]'), words || 'no reason given')
  // providers quote a wrong key in part, and the request
  const safe = redact(shown).replace(/\s+/g, ' ')
  // enough for the sentence that explains it; the rest is the request again
  return safe.length > 300 ? `${safe.slice(0, 300)}…` : safe
}
