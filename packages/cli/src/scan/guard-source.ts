import type { GuardOptions } from 'unloop'
import type { PresetName } from 'unloop/presets'
import { guardOptionsOf } from '../config/guard-options.js'
import { openConfig } from '../config/load.js'
import type { Host } from '../host.js'

/** Where the options of a guard come from; a thread cannot be given detectors, but it can load them. */
export interface GuardSource {
  /** absolute path of the configuration, which is trusted by now */
  config?: string
  preset?: PresetName
}

/** The options, loaded. */
export async function loadGuardOptions({ config, preset }: GuardSource): Promise<GuardOptions> {
  if (config === undefined) return guardOptionsOf({}, preset)
  const nowhere = { cwd: () => '/', env: {} } as unknown as Host
  const loaded = await openConfig(nowhere, { config }, [])
  return guardOptionsOf(loaded.config, preset)
}
