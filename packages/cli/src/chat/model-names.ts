import { type BaseUrl, knownModels, listModels } from '@unloop/agent'

/** Names of models that can be chosen. */
export interface ModelNames {
  /** Asks the providers that can be asked; the one that is used now comes first. */
  list(current: string, signal: AbortSignal): Promise<string[]>
  /** Those that are known without asking. */
  known(): readonly string[]
}

const PROVIDERS = ['openai', 'anthropic', 'google', 'ollama', 'lmstudio', 'vllm', 'compatible']

export function createModelNames(
  env: NodeJS.ProcessEnv,
  addressOf: (name: string) => BaseUrl | undefined,
): ModelNames {
  let listed: string[] | undefined

  async function namesOf(provider: string, signal: AbortSignal): Promise<string[]> {
    const baseUrl = addressOf(`${provider}/`)
    try {
      const names = await listModels(provider, { env, signal, ...(baseUrl && { baseUrl }) })
      return names.map((name) => `${provider}/${name}`)
    } catch {
      // no key, or no server there
      return []
    }
  }

  return {
    async list(current, signal) {
      const names = await Promise.all(PROVIDERS.map((provider) => namesOf(provider, signal)))
      const now = current.startsWith('embedded/') ? [] : [current]
      listed = [...new Set([...now, 'embedded', ...names.flat()])]
      return listed
    },
    known: () =>
      listed ?? [
        'embedded',
        ...PROVIDERS.flatMap((provider) =>
          knownModels(provider).map((name) => `${provider}/${name}`),
        ),
      ],
  }
}
