import { createGuard, type Guard, type Snapshot } from 'unloop'
import { guardOptionsOf } from '../config/guard-options.js'
import { type ConfigOptions, GUARD_PARTS, loadConfig, openConfig } from '../config/load.js'
import type { Host } from '../host.js'
import { toFaultReport } from '../troubles.js'
import { whyHeld } from '../trust/words.js'

/** Makes the guards of sessions, by the configuration of the folders they work in. */
export async function createGuardSource(
  host: Host,
  options: ConfigOptions,
  report: (words: string) => void,
): Promise<(folder: string, snapshot?: Snapshot) => Promise<Guard | undefined>> {
  // what is wrong here is told before anything starts
  const start = await loadConfig(host, options, GUARD_PARTS)
  // loading it takes longer than a fast agent needs for a loop, which would pass without a guard
  await import('../config/check.js')

  async function configOf(folder: string) {
    if (options.config !== undefined || folder === host.cwd()) return start.config
    try {
      const place: Host = Object.create(host, { cwd: { value: () => folder } })
      const { config, held } = await openConfig(place, options, GUARD_PARTS)
      if (held) report(`unloop acp: ${whyHeld(held, held.trust)}`)
      return config
    } catch (error) {
      report(`unloop acp: ${(error as Error).message}; the guard uses its defaults there`)
      return {}
    }
  }

  return async (folder, snapshot) => {
    const config = await configOf(folder)
    const { mode = 'enforce' } = config
    if (mode === 'off') return
    const onFault = (fault: Parameters<typeof toFaultReport>[0]) =>
      report(`unloop acp: ${toFaultReport(fault).message}`)
    return createGuard({ attended: true, ...guardOptionsOf(config), mode, onFault }, snapshot)
  }
}
