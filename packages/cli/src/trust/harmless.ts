import { defaultDetectors } from 'unloop'
import type { Config } from '../config/config.js'

/** A configuration in two: what takes effect in any folder, and what needs trust. */
export interface Divided {
  harmless: Config
  rest: Config
}

/**
 * Divides a configuration. Harmless is only what leaves a guard as it is or makes it stricter, whatever else is set; all
 * other settings, also those that are not known here, need trust.
 */
export function divide(config: Config): Divided {
  const { $schema, model, mode, detectors, budget, maxTurns, ...others } = config
  const rest: Config = { ...others }
  const harmless: Config = {}
  const put = (setting: Config, isHarmless: boolean) =>
    Object.assign(isHarmless ? harmless : rest, setting)
  if ($schema !== undefined) put({ $schema }, true)
  if (model !== undefined) put({ model }, isEmbedded(model))
  if (mode !== undefined) put({ mode }, mode === 'enforce')
  if (detectors !== undefined) {
    const all = Object.entries(detectors)
    const on = all.filter(([, setting]) => setting === true)
    const changed = all.filter(([, setting]) => setting !== true)
    if (on.length > 0) put({ detectors: Object.fromEntries(on) }, true)
    if (changed.length > 0) put({ detectors: Object.fromEntries(changed) }, false)
  }
  // it adds a limit where there is none, and the lower of two counts
  if (budget !== undefined) put({ budget }, true)
  if (maxTurns !== undefined) put({ maxTurns }, maxTurns <= DEFAULT_TURNS)
  return { harmless, rest }
}

/** The detectors of a folder that are not on anyway: a setting, even none, may take the place of one that a command adds by itself. */
function added(detectors: Config['detectors']): Config['detectors'] {
  const isUsual = (name: string) => defaultDetectors().some((one) => one.name === name)
  const others = Object.entries(detectors ?? {}).filter(([name]) => !isUsual(name))
  return others.length === 0 ? undefined : Object.fromEntries(others)
}

/** The person's own configuration with the harmless settings of a folder, which take nothing away from it. */
export function tightened(own: Config, harmless: Config): Config {
  const { detectors: given, budget, maxTurns, ...others } = harmless
  // a preset has rules of its own
  const detectors = own.preset === undefined ? added(given) : given
  const turns = Math.min(maxTurns ?? DEFAULT_TURNS, own.maxTurns ?? DEFAULT_TURNS)
  return {
    ...others,
    ...own,
    ...(detectors &&
      !Array.isArray(own.detectors) && { detectors: { ...detectors, ...own.detectors } }),
    ...(budget && { budget: lower(own.budget, budget) }),
    ...(maxTurns !== undefined && { maxTurns: turns }),
  }
}

// of a chat that is told nothing else
const DEFAULT_TURNS = 100

type Budget = NonNullable<Config['budget']>

function lower(own: Budget = {}, folder: Budget): Budget {
  const both: Budget = { ...folder, ...own }
  for (const name of ['steps', 'tokens', 'dollars', 'minutes'] as const) {
    const [mine, theirs] = [own[name], folder[name]]
    if (mine !== undefined && theirs !== undefined) both[name] = Math.min(mine, theirs)
  }
  return both
}

const isEmbedded = (spec: unknown) =>
  typeof spec === 'string' && spec.trim().split('/', 1)[0] === 'embedded'
