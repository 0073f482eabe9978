import { GOOD } from './lexicon.js'
import type { Told } from './tells.js'

/** What a field's name says about its value. */
export const PLAIN = 0
/** new each time, so it says nothing */
export const VOLATILE = 1
/** only a wrapper around the content */
const WRAPPER = 2

const kinds = new Map<string, number>()
// hosts have few field names; beyond this many, names are read again each time
const MOST = 512

/** What kind of field this is, by its name. */
export function fieldKind(name: string): number {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind = VOLATILE_NAMES.test(name) ? VOLATILE : WRAPPER_NAMES.test(name) ? WRAPPER : PLAIN
  if (kinds.size >= MOST) kinds.clear()
  if (name.length <= 64) kinds.set(name, kind)
  return kind
}

const VOLATILE_NAMES =
  /(?:^|[_-])(?:ids?|uuid|guid|timestamp|ts|time|date|duration|elapsed|ms|seconds|nonce|token|etag|pid|cursor|seq|at)$|(?:Ids?|Uuid|At|Ms|Time|Date|Timestamp|Duration|Token)$|^type$/

const WRAPPER_NAMES =
  /^(?:text|content|output|stdout|stderr|result|data|value|metadata|exit_?code|return_?code)$/i

/** Takes what a field says about the outcome. */
export function hearField(told: Told, name: string, value: unknown): void {
  const isOk = okBy(name, value)
  if (isOk === false) told.failed = true
  else if (isOk) {
    told.passed = true
    if (value === true) told.flags |= GOOD
  }
}

/** Whether a field says that all went well; undefined if it does not say. */
function okBy(name: string, value: unknown): boolean | undefined {
  if (typeof value === 'boolean') {
    if (/^is_?error$/i.test(name)) return !value
    if (name === 'success' || name === 'ok') return value
  }
  if (typeof value === 'number' && /^(?:exit_?code|return_?code)$/i.test(name)) return value === 0
  if (name === 'status' && (value === 'error' || value === 'failed')) return false
  if (name === 'error' && value) return false
}
