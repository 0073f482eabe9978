import { UsageError } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'
import { tightened } from '../trust/harmless.js'
import { inspect } from '../trust/inspect.js'
import { GUARD_SETTINGS, type Inspected, type PartName } from '../trust/parts.js'
import { type Trust, trustOf } from '../trust/trust.js'
import { whatIsLeft, whatToDo, whyHeld } from '../trust/words.js'
import type { Config } from './config.js'
import { findConfig, findOwnConfig } from './find.js'
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
  /** the same, for threads */
  source: ConfigSource
  /** what does not take effect before the person agrees */
  held?: Held
}

export interface Held extends Inspected {
  trust: Trust
  /** what takes effect until then */
  config: Config
}

/** Where a configuration comes from. */
export interface ConfigSource {
  /** absolute path of a file that is trusted, or the person's own */
  path?: string
  /** settings of a folder that may only make it stricter */
  harmless?: Config
}

/** The configuration that holds here, without what needs trust and has none. */
export async function openConfig(
  host: Host,
  { config: given, trust }: ConfigOptions,
  uses: readonly PartName[],
): Promise<LoadedConfig> {
  const file = findConfig(host, given)
  if (!file) return { config: {}, source: {} }
  const whole = async (): Promise<LoadedConfig> => ({
    config: await readConfig(file),
    source: { path: file.path },
    path: file.path,
  })
  if (file.isOwn || trust === true) return whole()
  const inspected = await inspect(file)
  const parts = inspected.parts.filter(({ name }) => uses.includes(name))
  const state = parts.length > 0 && trust !== false ? trustOf(host, inspected) : 'harmless'
  if (state === 'trusted') return whole()
  const own = findOwnConfig(host)
  const source = { ...(own && { path: own.path }), harmless: inspected.harmless }
  const config = await readSource(source)
  const safe = { config, source, ...(!file.isCode && { path: file.path }) }
  return state === 'harmless'
    ? safe
    : { ...safe, held: { ...inspected, parts, trust: state, config } }
}

/** What takes effect, from where it is: for threads, which cannot be given code. */
export async function readSource({ path, harmless }: ConfigSource): Promise<Config> {
  const nowhere = { cwd: () => '/', env: {} }
  const file = path === undefined ? undefined : findConfig(nowhere, path)
  const own = file ? await readConfig(file) : {}
  return harmless ? tightened(own, harmless) : own
}

/**
 * The same for commands that cannot ask: throws a `UsageError` where the person would have to agree to code, or to where
 * keys are sent. Settings of a guard are left out, and the person is told.
 */
export async function loadConfig(
  host: Host,
  options: ConfigOptions,
  uses: readonly PartName[],
): Promise<LoadedConfig> {
  const loaded = await openConfig(host, options, uses)
  const { held } = loaded
  if (!held) return loaded
  if (held.parts.some(({ name }) => !LEFT_OUT.includes(name)))
    throw new UsageError(`${whyHeld(held, held.trust)}\n${whatToDo(held)}`)
  toOutput(host.stderr, host.env).line(`unloop: ${whyHeld(held, held.trust)}\n${whatIsLeft(held)}`)
  return loaded
}

/** What is told to a guard; a model is asked by the chat alone. */
export const GUARD_PARTS: readonly PartName[] = ['code', ...GUARD_SETTINGS]

const LEFT_OUT: readonly PartName[] = [...GUARD_SETTINGS, 'maxTurns']
