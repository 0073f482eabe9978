import type { GuardOptions } from 'unloop'
import { presets } from 'unloop/presets'
import type { Config } from './config.js'

/**
 * What a guard is told: the configuration, and the preset given on the command line. `mode` is left out, since
 * it is the chat that enforces.
 */
export function guardOptionsOf(config: Config, preset = config.preset): GuardOptions {
  const { detectors, tools, ladder, budget } = config
  return {
    ...(preset && { preset: presets[preset] }),
    ...(detectors && { detectors }),
    ...(tools && { tools }),
    ...(ladder && { ladder }),
    ...(budget && { budget }),
  }
}
