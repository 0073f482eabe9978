import type { Config } from '../config/config.js'
import type { Held } from '../config/load.js'
import { readConfig } from '../config/read.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { agree } from './trust.js'
import { trustCommand } from './words.js'

/** What the person's answer leads to: the configuration as of now, and what to tell them. */
export interface Settled {
  config: Config
  tell: string
}

/** Puts an answer into effect. Throws a `UsageError` if the configuration is wrong. */
export async function settle(host: Host, held: Held, isTrusted: boolean): Promise<Settled> {
  const { file } = held
  const { path } = file
  if (!isTrusted) {
    const left = held.parts.map(({ name }) => name).join(', ')
    const used = file.isCode ? `${path} is not used` : `${path} is used without its ${left}`
    return { config: held.config, tell: `${used}; to change that: ${trustCommand(held)}` }
  }
  const config = await readConfig(file)
  try {
    agree(host, held)
    return { config, tell: `trusted: ${path}` }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { config, tell: `${error.message}; you will be asked again next time` }
  }
}
