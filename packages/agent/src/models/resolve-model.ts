import { type Model, ModelError } from '../model.js'
import { type AiSdkOptions, createAiSdkModel } from './ai-sdk.js'
import { contextTokensOf } from './context-tokens.js'
import { PROVIDERS, type ProviderDefinition, withoutSlashes } from './providers.js'

/** An address instead of a provider's own. */
export interface BaseUrl {
  /** the only provider that is asked there */
  provider: string
  url: string
  /** whether the person's own configuration names it; no key goes anywhere else */
  isTrusted: boolean
}

export interface ResolveOptions {
  /** with the keys and addresses of the person */
  env: Readonly<Record<string, string | undefined>>
  /** passed over for a model of another provider; a text is a trusted one for the provider of this model */
  baseUrl?: BaseUrl | string
  /** the key of this model's provider, instead of the one in the environment */
  apiKey?: string
  contextTokens?: number
  /** how long a provider may send nothing */
  silenceMs?: number
}

/**
 * The model of a name such as `openai/gpt-5`, `ollama/qwen3` or `embedded`; rejects with a `ModelError` that says what
 * is missing.
 */
export async function resolveModel(spec: string, options: ResolveOptions): Promise<Model> {
  const [provider = '', ...rest] = spec.trim().split('/')
  const name = rest.join('/')
  if (provider === 'embedded') {
    const { createEmbeddedModel } = await import('./embedded.js')
    return createEmbeddedModel(name === '' ? {} : { name })
  }
  const definition = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined
  if (!definition) throw noProvider(spec, provider, rest.length > 0)
  if (name === '') {
    throw misconfigured(`"${spec}" names no model`, `Write ${provider}/NAME.`)
  }
  const given = baseUrlOf(provider, options)
  const { url, isUsual } = findUrl(`${provider}/${name}`, definition, options.env, given?.url)
  const apiKey = findKey(`${provider}/${name}`, definition, options, isUsual)
  if (apiKey !== undefined && given?.isTrusted === false) {
    throw untrusted(`${provider}/${name}`, url, definition)
  }
  const model = await definition.create(name, url, apiKey)
  return createAiSdkModel(model, toOptions(provider, name, definition, options, apiKey))
}

function toOptions(
  provider: string,
  name: string,
  { keys, options }: ProviderDefinition,
  { env, contextTokens, silenceMs }: ResolveOptions,
  apiKey: string | undefined,
): AiSdkOptions {
  // Ollama cuts a chat that is longer without a word, and takes 4,096 tokens unless it has a big GPU or is told
  const ollama = provider === 'ollama' ? Number(env.OLLAMA_CONTEXT_LENGTH) || 4096 : undefined
  return {
    name: `${provider}/${name}`,
    contextTokens: contextTokens ?? ollama ?? contextTokensOf(name),
    ...(silenceMs !== undefined && { silenceMs }),
    ...(keys[0] && { keyAdvice: `Check ${keys[0]}.` }),
    secrets: apiKey === undefined ? [] : [apiKey],
    ...options?.(name),
  }
}

/** The address that was given for this provider. */
function baseUrlOf(provider: string, { baseUrl }: ResolveOptions): BaseUrl | undefined {
  const given = typeof baseUrl === 'string' ? { provider, url: baseUrl, isTrusted: true } : baseUrl
  return given?.provider === provider ? given : undefined
}

/** The address, and whether it is where the key of the environment belongs. */
function findUrl(
  name: string,
  { urls, defaultUrl, toBaseUrl = (url) => url }: ProviderDefinition,
  env: ResolveOptions['env'],
  baseUrl: string | undefined,
): { url: string; isUsual: boolean } {
  const variable = urls.find((one) => env[one]?.trim())
  const given = baseUrl ?? (variable && env[variable])
  if (!given) {
    if (defaultUrl) return { url: defaultUrl, isUsual: true }
    throw misconfigured(`${name} has no address`, `Give a base URL, or set ${urls[0]}.`)
  }
  try {
    const url = toBaseUrl(withoutSlashes(given.trim()))
    if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError('not of the web')
    return { url, isUsual: baseUrl === undefined }
  } catch {
    const advice = 'Give one such as http://127.0.0.1:8000/v1.'
    throw misconfigured(`the base URL of ${name} is not a URL: ${given}`, advice)
  }
}

function findKey(
  name: string,
  { keys, isLocal = false }: ProviderDefinition,
  { env, apiKey }: ResolveOptions,
  isUsual: boolean,
): string | undefined {
  // a server anywhere must not get OpenAI's key only because that lies in the environment
  const mayUse = !isLocal || isUsual || keys[0] !== 'OPENAI_API_KEY'
  const variable = mayUse ? keys.find((one) => env[one]?.trim()) : undefined
  const key = (apiKey ?? (variable && env[variable]))?.trim()
  if (!key) {
    if (isLocal) return undefined
    throw misconfigured(`${name} needs an API key`, `Set ${keys.join(' or ')}.`)
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const advice = apiKey === undefined ? `Check ${variable}.` : 'Enter it again.'
    throw misconfigured(`the API key of ${name} has characters no key has`, advice)
  }
  return key
}

const untrusted = (name: string, url: string, { urls }: ProviderDefinition) =>
  misconfigured(
    `the API key for ${name} is not sent to ${new URL(url).origin}, which your own configuration does not name`,
    `If you trust this address, set ${urls[0]} to it; else remove it.`,
  )

function noProvider(spec: string, provider: string, hasSlash: boolean): ModelError {
  const names = [...Object.keys(PROVIDERS), 'embedded'].join(', ')
  if (spec.trim() === '') return misconfigured('no model was named', `Name one of: ${names}.`)
  return hasSlash
    ? misconfigured(`unknown provider "${provider}"`, `Use one of: ${names}.`)
    : misconfigured(`"${spec}" names no provider`, `Write PROVIDER/NAME with one of: ${names}.`)
}

const misconfigured = (message: string, advice: string) =>
  new ModelError('configuration', message, { advice })
