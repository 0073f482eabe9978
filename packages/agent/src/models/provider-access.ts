import { ModelError } from '../model.js'
import { PROVIDERS, type ProviderDefinition, withoutSlashes } from './providers.js'

/** An address instead of a provider's own. */
export interface BaseUrl {
  /** the only provider that is asked there */
  provider: string
  url: string
  /** whether the person's own configuration names it; no key goes anywhere else */
  isTrusted: boolean
}

/** How a provider is reached. */
export interface AccessOptions {
  /** with the keys and addresses of the person */
  env: Readonly<Record<string, string | undefined>>
  /** passed over for another provider; a text is a trusted one for this provider */
  baseUrl?: BaseUrl | string
  /** the key of this provider, instead of the one in the environment */
  apiKey?: string
}

/** The provider of this name; throws a `ModelError` that names those there are. */
export function definitionOf(
  provider: string,
  spec = provider,
  hasSlash = true,
): ProviderDefinition {
  const definition = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined
  if (!definition) throw noProvider(spec, provider, hasSlash)
  return definition
}

/** Where a provider is and the key for it; throws a `ModelError` that says what is missing. */
export function toAccess(
  provider: string,
  name: string,
  definition: ProviderDefinition,
  options: AccessOptions,
): { url: string; apiKey: string | undefined } {
  const given = baseUrlOf(provider, options)
  const { url, isUsual } = findUrl(name, definition, options.env, given?.url)
  const apiKey = findKey(name, definition, options, isUsual)
  if (apiKey !== undefined && given?.isTrusted === false) throw untrusted(name, url, definition)
  return { url, apiKey }
}

/** The address that was given for this provider. */
function baseUrlOf(provider: string, { baseUrl }: AccessOptions): BaseUrl | undefined {
  const given = typeof baseUrl === 'string' ? { provider, url: baseUrl, isTrusted: true } : baseUrl
  return given?.provider === provider ? given : undefined
}

/** The address, and whether it is where the key of the environment belongs. */
function findUrl(
  name: string,
  { urls, defaultUrl, toBaseUrl = (url) => url }: ProviderDefinition,
  env: AccessOptions['env'],
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
  { env, apiKey }: AccessOptions,
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

/** Something that the person has to set up first. */
export const misconfigured = (message: string, advice: string) =>
  new ModelError('configuration', message, { advice })
