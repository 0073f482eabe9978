import { type GuardMode, guardModeProblem, isGuardMode } from '@unloop/agent/guard-mode'
import type { GuardOptions, ToolOptions } from 'unloop'
import type { PresetName } from 'unloop/presets'

/** What the settings of the editor say, checked and complete. */
export interface Settings {
  model: string
  /** another address of a provider, by the provider's name */
  baseUrl: Record<string, string>
  judgeModel: string
  guardMode: GuardMode
  guard: Pick<GuardSettings, 'preset' | 'detectors' | 'tools'>
  maxTurns: number
}

/** A setting that cannot be used, and why. */
export interface Problem {
  setting: string
  message: string
}

/** What the settings tell a guard: plain data, so a preset is a name. */
export type GuardSettings = Omit<GuardOptions, 'preset'> & { preset?: PresetName }

/** The settings that are read, by their names without `unloop.`, with their defaults. */
export const DEFAULTS = {
  model: 'embedded',
  baseUrl: {},
  'judge.model': '',
  guardMode: 'enforce',
  preset: 'default',
  detectors: {},
  tools: {},
  maxTurns: 100,
} as const

export type SettingName = keyof typeof DEFAULTS

/** Those that may have a key and an address. */
export const PROVIDERS: readonly string[] = [
  ...['openai', 'anthropic', 'google', 'ollama', 'lmstudio', 'vllm', 'compatible'],
]

/** The provider of a model such as `openai/gpt-5`. */
export const providerOf = (model: string): string => model.trim().split('/')[0] ?? ''

const PRESETS: readonly string[] = ['default', 'gemini-cli', 'qwen-code', 'deepv'] satisfies (
  | 'default'
  | PresetName
)[]

/** Reads the settings; one that is wrong is told of, and its default stays. `checkGuard` throws a `RangeError`. */
export function readSettings(
  get: (name: SettingName) => unknown,
  checkGuard: (options: GuardSettings) => void,
): { settings: Settings; problems: Problem[] } {
  const problems: Problem[] = []

  function read<T>(
    name: SettingName,
    isRight: (value: unknown) => boolean,
    must: string | ((value: unknown) => string),
  ): T {
    const value = get(name) ?? DEFAULTS[name]
    if (isRight(value)) return value as T
    const message =
      typeof must === 'string' ? `must be ${must}; got ${JSON.stringify(value)}` : must(value)
    problems.push({ setting: `unloop.${name}`, message })
    return DEFAULTS[name] as T
  }

  /** Those entries of an object that a guard accepts. */
  function keepGood<T>(name: 'detectors' | 'tools', preset: GuardSettings): Record<string, T> {
    const given = read<Record<string, T>>(name, isRecord, 'settings by name')
    const good = Object.entries(given).filter(([key, value]) => {
      try {
        checkGuard({ ...preset, [name]: { [key]: value } } as GuardSettings)
        return true
      } catch (error) {
        const { message } = error as Error
        problems.push({ setting: `unloop.${name}`, message })
        return false
      }
    })
    return Object.fromEntries(good)
  }

  const isText = (value: unknown) => typeof value === 'string'
  const presetName = read<PresetName | 'default'>('preset', isOneOf(PRESETS), oneOf(PRESETS))
  const preset = presetName === 'default' ? {} : { preset: presetName }
  const settings: Settings = {
    model: read('model', (value) => isText(value) && value !== '', 'a name such as "embedded"'),
    baseUrl: read('baseUrl', isAddresses, ADDRESSES),
    judgeModel: read('judge.model', isText, 'empty or a name such as "openai/gpt-5-mini"'),
    guardMode: read('guardMode', isGuardMode, guardModeProblem),
    guard: {
      ...preset,
      detectors: keepGood('detectors', preset),
      tools: keepGood<ToolOptions>('tools', preset),
    },
    maxTurns: read('maxTurns', isCount, 'a whole number of at least 1'),
  }
  return { settings, problems }
}

const isRecord = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 1

const isOneOf = (allowed: readonly string[]) => (value: unknown) =>
  allowed.includes(value as string)

const oneOf = (allowed: readonly string[]) => `one of ${allowed.join(', ')}`

const ADDRESSES = `addresses by provider (${PROVIDERS.join(', ')}), such as { "vllm": "http://127.0.0.1:8000/v1" }`

const isAddresses = (value: unknown) =>
  isRecord(value) &&
  Object.entries(value as object).every(([name, url]) => PROVIDERS.includes(name) && isUrl(url))

function isUrl(value: unknown): boolean {
  try {
    return /^https?:$/.test(new URL(value as string).protocol)
  } catch {
    return false
  }
}
