import type { GuardOptions } from 'unloop'
import type { PresetName } from 'unloop/presets'
import { guardOptionsOf } from '../config/guard-options.js'
import { type ConfigSource, readSource } from '../config/load.js'

/** Where the options of a guard come from; a thread cannot be given detectors, but it can load them. */
export interface GuardSource {
  config?: ConfigSource
  preset?: PresetName
}

/** The options, loaded. */
export const loadGuardOptions = async ({
  config = {},
  preset,
}: GuardSource): Promise<GuardOptions> => guardOptionsOf(await readSource(config), preset)
