import { knownModels, listModels } from '@unloop/agent'
import { PROVIDERS } from './settings.js'

/** A model that can be chosen. */
export interface ModelChoice {
  /** as the setting has it: `openai/gpt-5` */
  model: string
  provider: string
}

export interface ListChoicesOptions {
  env: Readonly<Record<string, string | undefined>>
  keys: Readonly<Record<string, string>>
  baseUrl: Readonly<Record<string, string>>
  signal: AbortSignal
}

/** The models of the providers that have a key, and of the servers that run here. */
export async function listChoices(options: ListChoicesOptions): Promise<ModelChoice[]> {
  const lists = await Promise.all(PROVIDERS.map((provider) => choicesOf(provider, options)))
  return lists.flat()
}

async function choicesOf(
  provider: string,
  { env, keys, baseUrl, signal }: ListChoicesOptions,
): Promise<ModelChoice[]> {
  const toChoice = (name: string) => ({ model: `${provider}/${name}`, provider })
  const apiKey = keys[provider]
  const url = baseUrl[provider]
  try {
    const names = await listModels(provider, {
      ...{ env, signal },
      ...(apiKey !== undefined && { apiKey }),
      ...(url !== undefined && { baseUrl: url }),
    })
    return names.map(toChoice)
  } catch (error) {
    // without a key there is nothing to choose; with one, the names are known even if the list cannot be had
    const hasKey = (error as { kind?: string }).kind !== 'configuration'
    return hasKey ? knownModels(provider).map(toChoice) : []
  }
}
