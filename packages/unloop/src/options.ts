import type { Options } from './detector.js'

/**
 * The defaults with the given settings put in; throws a `RangeError` that names the setting, says
 * what it takes and ends "got …".
 */
export function checkOptions<O extends Options>(owner: string, defaults: O, given: unknown): O {
  if (given === undefined) return defaults
  if (!isRecord(given)) throw bad(owner, 'must be an object of settings', given)
  const options: Options = { ...defaults }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(defaults, name)) {
      const known = Object.keys(defaults).join(', ')
      throw new RangeError(`${owner} has the settings ${known || '(none)'}, got ${show(name)}`)
    }
    options[name] = checkValue(`${owner}.${name}`, defaults[name] as Options[string], value)
  }
  return options as O
}

function checkValue(path: string, fallback: Options[string], value: unknown): Options[string] {
  if (typeof fallback === 'number') return checkNumber(path, fallback, value)
  if (typeof fallback === 'boolean') {
    if (typeof value !== 'boolean') throw bad(path, 'must be true or false', value)
    return value
  }
  if (typeof fallback === 'string') {
    if (typeof value !== 'string') throw bad(path, 'must be text', value)
    return value
  }
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw bad(path, 'must be a list of names', value)
  }
  return value
}

/** Whole defaults take whole numbers from 1; fractions take what lies between 0 and 1. */
function checkNumber(path: string, fallback: number, value: unknown): number {
  const whole = Number.isInteger(fallback)
  if (whole && !(Number.isSafeInteger(value) && (value as number) >= 1)) {
    throw bad(path, 'must be a whole number of at least 1', value)
  }
  if (!whole && !(typeof value === 'number' && value >= 0 && value <= 1)) {
    throw bad(path, 'must be a number from 0 to 1', value)
  }
  return value as number
}

/** The error for a setting that cannot be used. */
export function bad(path: string, rule: string, value: unknown): RangeError {
  return new RangeError(`${path} ${rule}, got ${show(value)}`)
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object'
  return String(value)
}
