import { statSync } from 'node:fs'
import { createGuard, type GuardOptions } from 'unloop'
import type { Config } from '../config/config.js'
import { type ConfigFile, findConfig, findOwnConfig } from '../config/find.js'
import { guardOptionsOf } from '../config/guard-options.js'
import { parseJson } from '../config/parse-json.js'
import type { Host } from '../host.js'
import { divide, tightened } from '../trust/harmless.js'
import { GUARD_SETTINGS, inspectSettings, type PartName } from '../trust/parts.js'
import { trustOf } from '../trust/trust.js'
import { trustCommand } from '../trust/words.js'
import { oneLine } from '../words.js'

type Place = Pick<Host, 'env' | 'cwd' | 'platform'>
type Tell = (message: string) => void

/** What the hooks of a session go by, from one prompt to the next. */
export interface HookSettings {
  /** what its guard is told, as plain JSON */
  config: Config
  /** what the folder says without effect, for the person */
  ignored?: string
  /** what the folder limits without being trusted, for the person */
  limits?: string
}

/**
 * The settings for an agent in this folder, as of now. What needs trust and has none is left out; so is what is lenient in a file
 * of the person that has changed since `unchangedSince`.
 */
export function readSettings(
  host: Place,
  folder: string | undefined,
  tell: Tell,
  unchangedSince = Number.POSITIVE_INFINITY,
): HookSettings {
  const own =
    attempt(tell, () => {
      const file = findOwnConfig(host)
      const config = settingsOf(file, tell)
      return file && changedAt(file.path) > unchangedSince ? divide(config).harmless : config
    }) ?? {}
  const settings = attempt(tell, (): HookSettings | undefined => {
    const file = findConfig(host, undefined, folder)
    if (!file || file.isOwn) return
    const config = settingsOf(file, tell)
    const { parts, harmless, hash } = inspectSettings(file, config)
    const needed = parts.filter(({ name }) => GUARD_SETTINGS.includes(name))
    const inspected = { file, parts, harmless, hash }
    const trust = needed.length === 0 ? 'harmless' : trustOf(host, inspected)
    if (trust === 'trusted') return { config: checked(guardPart(config)) }
    const safe = checked(tightened(own, guardPart(harmless)))
    const limits = harmless.budget && {
      limits: `${file.path} limits what each prompt may use: ${oneLine(JSON.stringify(harmless.budget), 120)}.`,
    }
    if (trust === 'harmless') return { config: safe, ...limits }
    const names = [...new Set(needed.map(({ name }) => name))].join(', ')
    const why = trust === 'changed' ? 'has changed since you trusted it' : 'is not trusted'
    const ignored = `${file.path} ${why}, so this is ignored: ${names}. To review and trust it: ${trustCommand(inspected)}`
    return { config: safe, ignored, ...limits }
  })
  return settings ?? { config: own }
}

/** The settings as the options of a guard. */
export const toGuardOptions = ({ config }: HookSettings): GuardOptions => ({
  ...guardOptionsOf(config),
  ...(config.mode === 'observe' && { mode: 'observe' as const }),
})

/** What a file says of guards; throws if it is none that can be used. */
function settingsOf(file: ConfigFile | undefined, tell: Tell): Config {
  if (!file) return {}
  if (file.isCode) {
    tell(`${file.path} is ignored: hooks read unloop.config.json only`)
    return {}
  }
  const config = parseJson(file.path, file.content) as Config
  if (file.isOwn) return checked(guardPart(config))
  // refuses what it does not understand, trusted or not
  checked(guardPart(config))
  return config
}

function guardPart(config: Config): Config {
  const isGuards = ([name]: [string, unknown]) => GUARD_SETTINGS.includes(name as PartName)
  return Object.fromEntries(Object.entries(config).filter(isGuards))
}

function checked(config: Config): Config {
  const { mode } = config
  if (mode !== undefined && !MODES.includes(mode)) {
    throw new Error(`mode takes one of ${MODES.join(', ')}`)
  }
  createGuard(guardOptionsOf(config))
  return config
}

const MODES = ['enforce', 'observe', 'off']

/** When a file was written or put in its place, which no program can set back. */
const changedAt = (path: string) => statSync(path).ctimeMs

function attempt<T>(tell: Tell, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    tell(`${(error as Error).message}; the configuration is ignored`)
    return
  }
}
