import type { GuardOptions } from 'unloop'
import { guardOptionsOf } from '../config/guard-options.js'
import { loadConfig } from '../config/load.js'
import type { Host } from '../host.js'

/** Where the options of a guard come from; a thread cannot be given detectors, but it can load them. */
export interface GuardSource {
  /** absolute path of the configuration */
  config?: string
  preset?: GuardOptions['preset']
}

/** The options, loaded. */
export async function loadGuardOptions({
  config: path,
  preset,
}: GuardSource): Promise<GuardOptions> {
  if (path === undefined) return guardOptionsOf({}, preset)
  const nowhere = { cwd: () => '/', env: {} } as unknown as Host
  const { config } = await loadConfig(nowhere, path)
  return guardOptionsOf(config, preset)
}
