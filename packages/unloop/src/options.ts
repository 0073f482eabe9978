/** The settings of a detector: numbers, switches and names, each with a default. */
export type DetectorOptions = Record<string, number | boolean | string | readonly string[]>

/** A test for a setting, and its requirement in words. */
export type Rule = readonly [test: (value: unknown) => boolean, demand: string]

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0

export const SWITCH: Rule = [(value) => typeof value === 'boolean', 'must be true or false']
export const NAMES: Rule = [
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'must be a list of names',
]
const TEXT: Rule = [(value) => typeof value === 'string', 'must be text']
const WHOLE: Rule = [isWhole, 'must be a whole number of at least 1']
export const SHARE: Rule = [
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  'must be a number from 0 to 1',
]

export const oneOf = (names: readonly string[]): Rule => [
  (value) => names.includes(value as string),
  `must be one of ${names.join(', ')}`,
]

/** Throws a `RangeError` that names the setting, says what it takes and ends with "got …". */
export function check(path: string, value: unknown, [test, demand]: Rule): void {
  if (!test(value)) throw bad(path, demand, value)
}

/** Checks the fields that are given, and refuses unknown ones. */
export function checkFields(
  path: string,
  given: unknown,
  rules: Record<string, Rule>,
  prefix = `${path}.`,
): void {
  check(path, given, [isRecord, 'must be an object with settings'])
  for (const [name, value] of Object.entries(given as object)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) throw bad(path, `only takes ${Object.keys(rules).join(', ')}`, name)
    if (value !== undefined) check(prefix + name, value, rule)
  }
}

/** The defaults, overridden by the given settings. */
export function checkOptions<O extends DetectorOptions>(
  owner: string,
  defaults: O,
  given: unknown = {},
): O {
  const rules = Object.entries(defaults).map(([name, usual]) => [name, ruleFor(usual)])
  checkFields(owner, given, Object.fromEntries(rules))
  const set = Object.entries(given as object).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(set) }
}

/** A whole default takes whole numbers from 1; a fraction takes numbers from 0 to 1. */
function ruleFor(usual: DetectorOptions[string]): Rule {
  if (typeof usual === 'number') return Number.isInteger(usual) ? WHOLE : SHARE
  if (typeof usual === 'boolean') return SWITCH
  return typeof usual === 'string' ? TEXT : NAMES
}

/** The error for an invalid setting. */
export function bad(path: string, demand: string, value: unknown): RangeError {
  return new RangeError(`${path} ${demand}, got ${show(value)}`)
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  if (Array.isArray(value)) return 'a list'
  return isRecord(value) && !(value instanceof Error) ? 'an object' : String(value)
}
