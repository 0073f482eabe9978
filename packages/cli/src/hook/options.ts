import { createGuard, type GuardOptions } from 'unloop'
import type { Config } from '../config/config.js'
import { findConfig } from '../config/find.js'
import { guardOptionsOf } from '../config/guard-options.js'
import { parseJson } from '../config/parse-json.js'
import type { Host } from '../host.js'

/** The configuration of the folder in which an agent works, for its hooks. */
export function hookOptions(
  host: Pick<Host, 'env' | 'cwd'>,
  folder: string | undefined,
  tell: (message: string) => void,
): { options: GuardOptions; isOff: boolean } {
  try {
    const file = findConfig(host, undefined, folder)
    if (!file) return { options: {}, isOff: false }
    if (file.isCode) {
      tell(`${file.path} is ignored: hooks read unloop.config.json only`)
      return { options: {}, isOff: false }
    }
    const config = parseJson(file.path, file.content) as Config
    const { mode } = config
    const options = { ...guardOptionsOf(config), ...(mode === 'observe' && { mode }) }
    // refuses what it does not understand
    createGuard(options)
    return { options, isOff: mode === 'off' }
  } catch (error) {
    tell(`${(error as Error).message}; the configuration is ignored`)
    return { options: {}, isOff: false }
  }
}
