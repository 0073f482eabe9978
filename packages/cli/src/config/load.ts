import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { type Inspected, inspect, type PartName } from '../trust/parts.js'
import { type Trust, trustOf } from '../trust/trust.js'
import { whatToDo, whyHeld } from '../trust/words.js'
import type { Config } from './config.js'
import { findConfig } from './find.js'
import { readConfig } from './read.js'

/** What a command was told about its configuration. */
export interface ConfigOptions {
  /** the file to use */
  config?: string
  /** use all of it this once, or leave out what needs trust; else the person is asked, or told */
  trust?: boolean
}

/** A configuration, and the file it was read from if anything of it takes effect. */
export interface LoadedConfig {
  config: Config
  path?: string
  /** what does not take effect before the person agrees */
  held?: Held
}

export interface Held extends Inspected {
  trust: Trust
}

/** The configuration that holds here, without what needs trust and has none. */
export async function openConfig(
  host: Host,
  { config: given, trust }: ConfigOptions,
  uses: readonly PartName[],
): Promise<LoadedConfig> {
  const file = findConfig(host, given)
  if (!file) return { config: {} }
  const { path } = file
  if (file.isOwn || trust === true) return { config: await readConfig(file), path }
  const inspected = await inspect(file)
  const parts = inspected.parts.filter(({ name }) => uses.includes(name))
  const safe = { config: inspected.harmless, ...(!file.isCode && { path }) }
  if (parts.length === 0 || trust === false) return safe
  const state = trustOf(host, inspected)
  if (state === 'trusted') return { config: await readConfig(file), path }
  return { ...safe, held: { ...inspected, parts, trust: state } }
}

/** The same for commands that cannot ask: throws a `UsageError` where the person would have to agree. */
export async function loadConfig(
  host: Host,
  options: ConfigOptions,
  uses: readonly PartName[],
): Promise<LoadedConfig> {
  const loaded = await openConfig(host, options, uses)
  const { held } = loaded
  if (held) throw new UsageError(`${whyHeld(held, held.trust)}\n${whatToDo(held)}`)
  return loaded
}

/** What a guard is told; a model is asked by the chat alone. */
export const GUARD_PARTS: readonly PartName[] = ['code']
