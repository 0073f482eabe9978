import type { GuardMode } from '@unloop/agent'
import type { PresetName } from 'unloop'

/** What `unloop chat` was told. */
export interface ChatOptions {
  prompt?: string
  json?: boolean
  model?: string
  baseUrl?: string
  guard?: GuardMode
  preset?: PresetName
  maxTurns?: number
  yes?: boolean
  resume?: string | true
  save?: boolean
  config?: string
}
