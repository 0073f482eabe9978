import type { AgentEvent } from '../event.js'
import { toInert } from '../intake/inert.js'
import { isObservation } from '../reading/answer/observations.js'
import { fromJsonText, keyOf } from '../reading/call-key.js'
import { FIXED_SEED } from '../reading/hash.js'

/** Where a history stands: what the next request of the same conversation is known by. */
export interface Place {
  /** the name of all up to the last answer of the model; nothing if it has not answered yet */
  last: string | undefined
  /** the name of all of it */
  whole: string
}

/**
 * The place of a history, as a pure function of what it says: the person's words, the calls, and which of them were answered.
 * What the model said in words is left out, since clients trim it.
 */
export function placeOf(history: readonly AgentEvent[]): Place {
  const end = history.findLastIndex(isModel) + 1
  let name = ''
  let last: string | undefined
  for (const [at, event] of history.entries()) {
    name = nextName(name, event)
    if (at + 1 === end) last = name
  }
  return { last, whole: name }
}

/** The name of a history with one event more. */
export function nextName(name: string, event: AgentEvent): string {
  switch (event.type) {
    case 'prompt':
      return nameOf('prompt', [name, brief(event.text)])
    case 'tool-call':
      return nameOf('call', [name, event.id, event.name, fromJsonText(toInert(event.args))])
    case 'tool-result':
      return nameOf('answer', [name, event.id, brief(event.output)])
    default:
      return name
  }
}

/** The name of parts that are plain data. */
const nameOf = (kind: string, parts: readonly unknown[]): string =>
  String(keyOf(kind, parts, FIXED_SEED))

// histories are megabytes, and each request is named: both ends and the length of a long text are enough
const ENDS = 200

const brief = (value: unknown) =>
  typeof value === 'string' && value.length > 2 * ENDS
    ? [value.length, value.slice(0, ENDS), value.slice(-ENDS)]
    : toInert(value)

const isModel = ({ type }: AgentEvent) =>
  type === 'text' || type === 'reasoning' || type === 'tool-call'

/**
 * What a run has to be shown of a history to go on from there: all since the person's last words, up to the last answer of the
 * model. The answers of tools after it are news.
 */
export function pastOf(history: readonly AgentEvent[]): AgentEvent[] {
  const from = Math.max(0, requestAt(history))
  const past = history.slice(from, history.findLastIndex(isModel) + 1)
  return past.flatMap((event, at) =>
    isModel(event) && !isModel(past[at - 1] ?? event) ? [{ type: 'turn-start' }, event] : event,
  )
}

/**
 * Where the last request of the person stands in a history; -1 if there is none. What a program says in their place is none, and words
 * that come again and again are one.
 */
export function requestAt(history: readonly AgentEvent[]): number {
  let found = -1
  let text: string | undefined
  for (let at = history.length - 1; at >= 0; at--) {
    const event = history[at]
    if (event?.type !== 'prompt' || isObservation(event.text ?? '')) continue
    if (found >= 0 && (event.text !== text || !text)) break
    found = at
    text = event.text
  }
  return found < 0 ? history.findIndex(({ type }) => type === 'prompt') : found
}

/** The conversations that were seen with one guard, by their places. */
export interface Lineage {
  /** Whether a request that stands here belongs to a conversation that was seen. */
  knows(last: string | undefined): boolean
  /**
   * Notes that a request stands here. `other` is a conversation that was left for a request on the side, such as a title, and
   * `shared` one that was left for another that went on as well.
   */
  enter(last: string | undefined): 'same' | 'other' | 'shared'
  /** Notes that the conversation stands here now. */
  leave(whole: string): void
}

// more than one conversation has requests that a client goes back to
const MAX_PLACES = 1000

/** Tells conversations apart that share a guard: one that was left for another and is gone on with. */
export function createLineage(): Lineage {
  const parents = new Map<string, string | undefined>()
  let current: string | undefined
  /** the conversation at hand has had more than one request */
  let wentOn = false

  function isAncestor(place: string): boolean {
    const seen = new Set<string>()
    for (let at = current; at !== undefined && !seen.has(at); at = parents.get(at)) {
      if (at === place) return true
      seen.add(at)
    }
    return false
  }

  return {
    knows: (last) => last !== undefined && parents.has(last),
    enter(last) {
      const isKnown = last !== undefined && parents.has(last)
      // what is not known is new, or was shortened; what is an ancestor was gone back to
      const isSame = !isKnown || isAncestor(last)
      if (!isSame && wentOn) return 'shared'
      wentOn = isKnown
      current = last
      return isSame ? 'same' : 'other'
    },
    leave(whole) {
      if (!parents.has(whole)) parents.set(whole, current)
      current = whole
      const oldest = parents.keys().next().value
      if (parents.size > MAX_PLACES && oldest !== undefined) parents.delete(oldest)
    },
  }
}
