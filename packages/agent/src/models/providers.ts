import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { AiSdkOptions } from './ai-sdk.js'
import { fetchStraight } from './fetch-straight.js'

/** Where a provider is, how it is asked, and what its people call things. */
export interface ProviderDefinition {
  /** the environment variables of its key, the usual one first */
  keys: string[]
  /** whether it answers without a key */
  isLocal?: boolean
  /** the environment variables of its address */
  urls: string[]
  defaultUrl?: string
  /** From the address a person gives to the one the SDK wants. */
  toBaseUrl?(url: string): string
  /** Makes the SDK's model; the SDK is loaded here, since start-up time matters. */
  create(name: string, baseURL: string, apiKey: string | undefined): Promise<LanguageModelV3>
  /** What else we know of its model. */
  options?(name: string): Partial<AiSdkOptions>
}

/** The providers by the name in front of the model's. */
export const PROVIDERS: Record<string, ProviderDefinition> = {
  openai: {
    keys: ['OPENAI_API_KEY'],
    urls: ['OPENAI_BASE_URL'],
    defaultUrl: 'https://api.openai.com/v1',
    async create(name, baseURL, apiKey = '') {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL, apiKey, fetch: fetchStraight }).responses(name)
    },
    options: () => ({
      // the chat is ours to cut and compact, so nothing in it may refer to what the provider has stored
      providerOptions: { openai: { store: false } },
      strictTools: false,
      nameAdvice: 'Check the name; for a server without the Responses API use compatible/NAME.',
    }),
  },
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    urls: ['ANTHROPIC_BASE_URL'],
    defaultUrl: 'https://api.anthropic.com/v1',
    toBaseUrl: (url) => withVersion(url, '/v1'),
    async create(name, baseURL, apiKey = '') {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL, apiKey, fetch: fetchStraight })(name)
    },
    // the turns of a prompt repeat the same chat, and a cached token costs a tenth
    options: () => ({ providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }),
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    urls: ['GOOGLE_GEMINI_BASE_URL'],
    defaultUrl: 'https://generativelanguage.googleapis.com/v1beta',
    toBaseUrl: (url) => withVersion(url, '/v1beta'),
    async create(name, baseURL, apiKey = '') {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      const { fetchMerged } = await import('./merge-contents.js')
      return createGoogleGenerativeAI({ baseURL, apiKey, fetch: fetchMerged })(name)
    },
    options: (name) => {
      const google = { thinkingConfig: { includeThoughts: true } }
      // older ones refuse to be asked for thoughts
      return /^gemini-(?:2\.5|[3-9])/.test(name) ? { providerOptions: { google } } : {}
    },
  },
  ollama: {
    ...compatible('ollama', { structured: true }),
    keys: ['OLLAMA_API_KEY'],
    urls: ['OLLAMA_HOST'],
    defaultUrl: 'http://127.0.0.1:11434/v1',
    toBaseUrl: toOllamaUrl,
    options: (name) => ({
      ...LOCAL,
      networkAdvice: `Start Ollama with \`ollama serve\`, or set OLLAMA_HOST to where it runs.`,
      nameAdvice: `Get the model with \`ollama pull ${name}\`.`,
    }),
  },
  lmstudio: {
    ...compatible('lmstudio', { structured: true }),
    keys: ['LM_API_TOKEN'],
    urls: ['LMSTUDIO_BASE_URL'],
    defaultUrl: 'http://127.0.0.1:1234/v1',
    options: () => ({
      ...LOCAL,
      networkAdvice: 'Start the server of LM Studio, or give its base URL.',
    }),
  },
  vllm: {
    ...compatible('vllm', { structured: true }),
    keys: ['VLLM_API_KEY'],
    urls: ['VLLM_BASE_URL'],
    defaultUrl: 'http://127.0.0.1:8000/v1',
    options: () => ({ ...LOCAL, networkAdvice: 'Start vLLM, or give its base URL.' }),
  },
  compatible: { ...compatible('compatible', { structured: false }), options: () => LOCAL },
}

/** chat templates of open models want user and assistant to alternate; the SDK reports calls only at the end */
const LOCAL: Partial<AiSdkOptions> = { notesInResults: true, hasLateCalls: true }

/** A server that speaks OpenAI's chat completions; `structured` if it can be held to a JSON schema. */
function compatible(provider: string, { structured }: { structured: boolean }): ProviderDefinition {
  return {
    keys: ['OPENAI_API_KEY'],
    isLocal: true,
    urls: ['OPENAI_BASE_URL'],
    async create(name, baseURL, apiKey) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        name: provider,
        baseURL,
        fetch: fetchStraight,
        ...(apiKey !== undefined && { apiKey }),
        includeUsage: true,
        supportsStructuredOutputs: structured,
      })(name)
    },
  }
}

/** The address without the slashes that it ends with. */
export function withoutSlashes(url: string): string {
  let end = url.length
  while (url.charAt(end - 1) === '/') end--
  return url.slice(0, end)
}

/** Some give the address with the version of the API, some without. */
const withVersion = (url: string, version: string) =>
  /\/v\d+(?:beta\d*|alpha\d*)?$/.test(url) ? url : url + version

/** OLLAMA_HOST is what its server listens on: often without a scheme or port, and 0.0.0.0 for everywhere. */
function toOllamaUrl(host: string): string {
  const url = new URL(
    /^https?:\/\//.test(host) ? host : `http://${host.startsWith(':') ? '127.0.0.1' : ''}${host}`,
  )
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  const hasPort = /:\d+(?:\/|$)/.test(host.replace(/^https?:\/\//, ''))
  if (!hasPort && url.protocol === 'http:') url.port = '11434'
  return withVersion(withoutSlashes(url.href), '/v1')
}
