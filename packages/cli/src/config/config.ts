import type { GuardMode } from '@unloop/agent'
import type { Detector, GuardOptions } from 'unloop'
import type { PresetName } from 'unloop/presets'

/** The configuration of the command: what its guards are told, and the model of a chat. */
export interface Config extends Pick<GuardOptions, 'tools' | 'ladder' | 'budget'> {
  $schema?: string
  preset?: PresetName
  /** changes by name; in TypeScript also a list that replaces them all */
  detectors?: NonNullable<GuardOptions['detectors']> | readonly Detector[]
  /** whether a chat acts on loops, only records them, or does not look for them */
  mode?: GuardMode
  /** `provider/name` */
  model?: string
  baseUrl?: string
  maxTurns?: number
  /** models that are asked now and then whether the agent is stuck */
  judge?: { model: string; confirm?: string }
}

/**
 * Gives a configuration in TypeScript its type.
 *
 * @example export default defineConfig({ detectors: { 'call-flood': false } })
 */
export const defineConfig = (config: Config): Config => config
