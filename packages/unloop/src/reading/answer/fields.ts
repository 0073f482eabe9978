import { GOOD } from './lexicon.js'
import type { Told } from './tells.js'

/** What a field's name says about its value. */
export const PLAIN = 0
/** new each time, so it says nothing */
export const VOLATILE = 1
/** the same, and it moves by itself */
export const MOVING = 3
/** only a wrapper around the content */
const WRAPPER = 2

const kinds = new Map<string, number>()
// hosts have few field names; beyond this many, names are read again each time
const MOST = 512

/** What kind of field this is, by its name. */
export function fieldKind(name: string): number {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind = kindOf(name)
  if (kinds.size >= MOST) kinds.clear()
  if (name.length <= 64) kinds.set(name, kind)
  return kind
}

function kindOf(name: string): number {
  if (VOLATILE_NAMES.test(name)) return VOLATILE
  if (MOVING_NAMES.test(name)) return MOVING
  return WRAPPER_NAMES.test(name) ? WRAPPER : PLAIN
}

/** Which one it is. */
const VOLATILE_NAMES =
  /(?:^|[_-])(?:ids?|uuid|guid|nonce|token|etag|pid|cursor)$|(?:Ids?|Uuid|Token)$|^type$/

/** When it was, how long it took, how often it changed. */
const MOVING_NAMES =
  /(?:^|[_-])(?:timestamp|ts|time|date|duration|elapsed|ms|seconds|seq|at|uptime|generation|revision|resource_?version)$|(?:At|Ms|Time|Date|Timestamp|Duration|Generation|Revision|ResourceVersion|Uptime)$/

const WRAPPER_NAMES =
  /^(?:text|content|output|stdout|stderr|result|data|value|metadata|exit_?code|return_?code)$/i

/** Takes what a field says about the outcome. */
export function hearField(told: Told, name: string, value: unknown): void {
  const isOk = okBy(name, value)
  if (isOk === false) told.failed = true
  else if (isOk) {
    told.passed = true
    if (value === true) told.flags |= GOOD
  } else if (isClaim(name, value)) told.claimed = true
  // the tool worked, but what was asked for was declined
  else if (value === false && (name === 'accepted' || name === 'approved')) told.declined = true
}

/** Whether a field says that all went well; undefined if it does not say. */
function okBy(name: string, value: unknown): boolean | undefined {
  if (typeof value === 'boolean') {
    if (/^is_?error$/i.test(name)) return !value
    if (name === 'success' || name === 'ok') return value
  }
  if (typeof value === 'number' && /^(?:exit_?code|return_?code)$/i.test(name)) return value === 0
}

/** Whether a field says that something failed: the call, or what was looked at. */
const isClaim = (name: string, value: unknown) =>
  (name === 'status' && (value === 'error' || value === 'failed')) || (name === 'error' && !!value)

/** Whether an empty list of this name means that all is well. */
export const isTrouble = (name: string): boolean =>
  /(?:error|warning|issue|problem|violation|failure|vulnerabilit|conflict|failed)/i.test(name)
