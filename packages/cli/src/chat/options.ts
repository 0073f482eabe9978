import type { GuardMode } from '@unloop/agent'
import type { PresetName } from 'unloop/presets'
import type { ConfigOptions } from '../config/load.js'
import { GUARD_SETTINGS, type PartName } from '../trust/parts.js'

/** What `unloop chat` was told. */
export interface ChatOptions extends ConfigOptions {
  prompt?: string
  /** the plain words: sent first in a terminal, and the prompt without one */
  request?: string
  json?: boolean
  model?: string
  baseUrl?: string
  guard?: GuardMode
  preset?: PresetName
  maxTurns?: number
  yes?: boolean
  resume?: string | true
  save?: boolean
  /** the file that says what happens */
  debug?: string
}

/** What a chat uses of a configuration that needs trust: only what was not asked for otherwise. */
export const partsUsed = ({ model, guard, preset, maxTurns }: ChatOptions): PartName[] => [
  'code',
  ...(model === undefined ? (['model'] as const) : []),
  'baseUrl',
  'judge',
  ...GUARD_SETTINGS.filter((name) => !(name === 'mode' && guard) && !(name === 'preset' && preset)),
  ...(maxTurns === undefined ? (['maxTurns'] as const) : []),
]
