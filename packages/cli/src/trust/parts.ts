import type { Config } from '../config/config.js'
import type { ConfigFile } from '../config/find.js'
import { oneLine } from '../words.js'
import { divide } from './harmless.js'

/** Something in a configuration that takes effect only if the person trusts it. */
export interface Part {
  name: PartName
  /** what it would do: "send your key to …" */
  does: string
}

export type PartName = 'code' | Exclude<keyof Config, '$schema'>

/** A configuration file, taken apart without running anything. */
export interface Inspected {
  file: ConfigFile
  parts: Part[]
  /** what takes effect without trust */
  harmless: Config
  /** of what needs trust: of code all of it, of JSON these settings */
  hash: string
}

/** What a guard is told. Without trust, it goes without these settings of a folder. */
export const GUARD_SETTINGS: readonly PartName[] = [
  'preset',
  'detectors',
  'tools',
  'ladder',
  'budget',
  'mode',
]

/** Takes apart what a JSON file says. */
export function inspectSettings(file: ConfigFile, config: Config): Inspected {
  const { harmless, rest } = divide(config)
  const { model, baseUrl, judge, ...lenient } = rest
  const sent = [model, baseUrl, judge?.model, judge?.confirm]
  const hash = sha256(
    JSON.stringify(Object.keys(lenient).length === 0 ? sent : [...sent, sorted(lenient)]),
  )
  return { file, parts: partsOf(rest), harmless, hash }
}

/** Takes apart a file that is code: all of it needs trust. */
export const inspectCode = (file: ConfigFile): Inspected => ({
  file,
  parts: [{ name: 'code', does: 'run code with your permissions' }],
  harmless: {},
  hash: sha256(file.content),
})

function partsOf(rest: Config): Part[] {
  const { model, baseUrl, judge } = rest
  const parts: Part[] = []
  if (model !== undefined) {
    parts.push({ name: 'model', does: `send conversations to the model ${quote(model)}` })
  }
  if (baseUrl !== undefined) {
    const key = model === undefined ? 'your key' : `your key for ${quote(providerOf(model))}`
    parts.push({ name: 'baseUrl', does: `send ${key} and conversations to ${address(baseUrl)}` })
  }
  if (judge) {
    const names = [judge.model, ...(judge.confirm === undefined ? [] : [judge.confirm])]
    const judges = names.map(quote).join(' and ')
    parts.push({ name: 'judge', does: `send conversations to the judge ${judges}` })
  }
  for (const [name, setting] of Object.entries(rest) as [PartName, unknown][]) {
    if (name === 'model' || name === 'baseUrl' || name === 'judge') continue
    const entries = name === 'tools' || name === 'detectors' ? entriesOf(setting) : []
    if (entries.length <= 1) parts.push({ name, does: leniency(name, setting) })
    for (const entry of entries.length <= 1 ? [] : entries.slice(0, MOST)) {
      parts.push({ name, does: leniency(name, Object.fromEntries([entry])) })
    }
    const more = entries.length - MOST
    if (more > 0) parts.push({ name, does: `change ${more} more ${name}: read the file` })
  }
  return parts
}

// more than a screen has moves what matters out of sight
const MOST = 20

/** The settings by name, those first that allow the most. */
function entriesOf(setting: unknown): [name: string, setting: unknown][] {
  if (typeof setting !== 'object' || setting === null) return []
  const allows = (one: unknown) => {
    const allow = one === false ? 'always' : (one as { allow?: unknown } | null)?.allow
    return allow === 'always' ? Number.POSITIVE_INFINITY : typeof allow === 'number' ? allow : 0
  }
  const order = ([, a]: [string, unknown], [, b]: [string, unknown]) =>
    allows(a) === allows(b) ? 0 : allows(b) - allows(a)
  return Object.entries(setting).sort(order)
}

/** What a setting may do to the guard. */
function leniency(name: PartName, setting: unknown): string {
  const words = quote(JSON.stringify(setting) ?? String(setting))
  switch (name) {
    case 'mode':
      return setting === 'off'
        ? 'switch the guard off (mode "off")'
        : `only record loops, and act on none (mode ${words})`
    case 'preset':
      return `replace the rules of the guard (preset ${words})`
    case 'detectors':
      return `change what counts as a loop (detectors ${words})`
    case 'tools':
      return `change what counts as a loop for some tools (tools ${words})`
    case 'ladder':
      return `change what happens to a loop (ladder ${words})`
    case 'maxTurns':
      return `let a prompt take more turns (maxTurns ${words})`
    default:
      return `change ${quote(name)} (${words})`
  }
}

const providerOf = (spec: string) => spec.trim().split('/', 1)[0] ?? ''

/** An address with its host first: what stands before an @ may look like another one. */
const address = (url: string) => `${new URL(url).host} (${quote(url)})`

// as long as a name or an address usually is
const LENGTH = 120

const quote = (text: string) => oneLine(text, LENGTH)

/** The same value with the same order of keys, however it was written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}

// loaded only when something needs trust: a hook runs for every call
const sha256 = (data: string | Buffer) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest('hex')
