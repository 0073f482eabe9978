import { ModelError } from '../model.js'
import { fetchStraight } from './fetch-straight.js'
import { type AccessOptions, definitionOf, toAccess } from './provider-access.js'
import { type ErrorContext, toModelError } from './to-model-error.js'

export interface ListOptions extends AccessOptions {
  signal?: AbortSignal
}

// a list takes a second; who waits for it looks at a screen
const LIMIT_MS = 10_000
// the longest public list has a thousand models, and a page for each of them would be shorter
const MAX_BYTES = 16_000_000

/**
 * The names of the models that a provider has for this key, as it lists them; `provider/NAME` is what `resolveModel` takes.
 * Rejects with a `ModelError`, or with the reason of the signal.
 */
export async function listModels(provider: string, options: ListOptions): Promise<string[]> {
  if (provider === 'embedded') return ['demo']
  const definition = definitionOf(provider)
  const { url, apiKey } = toAccess(provider, provider, definition, options)
  const { networkAdvice } = definition.options?.('') ?? {}
  const context: ErrorContext = {
    name: provider,
    nameAdvice: 'Check the base URL.',
    ...(definition.keys[0] && { keyAdvice: `Check ${definition.keys[0]}.` }),
    ...(networkAdvice && { networkAdvice }),
    secrets: apiKey === undefined ? [] : [apiKey],
  }
  const late = AbortSignal.timeout(LIMIT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late
  try {
    const { path, headers } = requestOf(provider, apiKey)
    const response = await fetchStraight(`${url}${path}`, { headers, signal })
    const body = await readAll(response, provider)
    if (!response.ok) throw toApiError(response, body)
    return namesIn(parse(body, provider))
  } catch (error) {
    options.signal?.throwIfAborted()
    if (late.aborted) throw new ModelError('silence', `${provider} does not answer`, SLOW)
    throw toModelError(error, context)
  }
}

const SLOW = { advice: 'Try again, or write the name of a model.' }

function requestOf(provider: string, apiKey: string | undefined) {
  switch (provider) {
    case 'anthropic':
      return {
        path: '/models?limit=1000',
        headers: { 'x-api-key': apiKey ?? '', 'anthropic-version': '2023-06-01' },
      }
    case 'google':
      return { path: '/models?pageSize=1000', headers: { 'x-goog-api-key': apiKey ?? '' } }
    default:
      return {
        path: '/models',
        headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      }
  }
}

async function readAll({ body }: Response, provider: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw malformed(provider, 'its list of models is too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(body: string, provider: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw malformed(provider, 'its list of models is not JSON')
  }
}

const malformed = (provider: string, why: string) =>
  new ModelError('malformed', `${provider} sent an invalid response: ${why}`, {
    advice: 'Check the base URL.',
  })

/** A failure in the shape of the AI SDK's, so that it is told in the same words. */
function toApiError({ status, headers }: Response, body: string) {
  const said = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body.slice(0, 10_000))?.[1]
  return Object.assign(new Error(said ? tryParse(said) : 'no list of models'), {
    statusCode: status,
    responseBody: body,
    responseHeaders: Object.fromEntries(headers),
  })
}

function tryParse(text: string): string {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A model in a list, as OpenAI and Anthropic write it (`data`), and as Google does (`models`). */
interface Listed {
  id?: unknown
  name?: unknown
  created?: unknown
  supportedGenerationMethods?: unknown
}

/** The names in a list, newest first where it says how old they are. */
function namesIn(list: unknown): string[] {
  const { data, models } = (list ?? {}) as { data?: unknown; models?: unknown }
  const listed = [data, models].find(Array.isArray) ?? []
  const chatting = (listed as (Listed | null)[]).flatMap((model) => {
    const { id, name, created, supportedGenerationMethods: methods } = model ?? {}
    if (Array.isArray(methods) && !methods.includes('generateContent')) return []
    const known = String(id ?? name ?? '').replace(/^models\//, '')
    if (!NAME.test(known) || OTHER.test(known)) return []
    return [{ known, age: typeof created === 'number' ? -created : 0 }]
  })
  return [...new Set(chatting.sort((a, b) => a.age - b.age).map(({ known }) => known))]
}

/** What a person can type, and a terminal can show. */
const NAME = /^[\x21-\x7e]{1,200}$/

/** Models in OpenAI's list that answer no chat; it does not say which do. */
const OTHER =
  /embed|whisper|tts|dall-e|moderation|realtime|audio|transcribe|image|sora|^babbage|^davinci/
