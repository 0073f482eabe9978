import type { ConfigFile } from '../config/find.js'
import { readConfig } from '../config/read.js'
import { type Inspected, inspectCode, inspectSettings } from './parts.js'

/** Takes a configuration file apart; throws a `UsageError` if it is JSON and not a configuration. */
export const inspect = async (file: ConfigFile): Promise<Inspected> =>
  file.isCode ? inspectCode(file) : inspectSettings(file, await readConfig(file))
