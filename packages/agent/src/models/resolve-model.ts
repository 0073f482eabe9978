import type { Model } from '../model.js'
import { type AiSdkOptions, createAiSdkModel } from './ai-sdk.js'
import { contextTokensOf } from './context-tokens.js'
import { type AccessOptions, definitionOf, misconfigured, toAccess } from './provider-access.js'
import type { ProviderDefinition } from './providers.js'

export interface ResolveOptions extends AccessOptions {
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
  const definition = definitionOf(provider, spec, rest.length > 0)
  if (name === '') {
    throw misconfigured(`"${spec}" names no model`, `Write ${provider}/NAME.`)
  }
  const { url, apiKey } = toAccess(provider, `${provider}/${name}`, definition, options)
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
