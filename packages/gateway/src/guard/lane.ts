import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { createGuard, type Finding, type Guard, type GuardOptions } from 'unloop'
import { type Run, runOf } from 'unloop/host'
import { pastOf } from 'unloop/wire'
import { withoutPlaceholders } from './cleared.js'
import { withPictures } from './pictures.js'
import type { ModelRequest } from './read-request.js'

/** One line of a conversation, with its guard. */
export interface Lane extends LaneState {
  id: string
  guard: Guard
  run: Run
  /** an answer to it is coming */
  isBusy: boolean
  /** how often it was saved */
  version: number
}

/** What is known of a lane beside its guard. */
interface LaneState {
  /** where it stands; undefined before the first answer */
  place: string | undefined
  /** where it stood before, oldest first */
  past: string[]
  /** the name of the request that was answered last */
  asked: string
  persona: string
  /** the last answer made calls */
  hasCalls: boolean
  /** the number of the first event that the model has not been told of, now and before the last request */
  since: number
  sinceBefore: number
  /** the last request was answered by us, and why */
  isRefused: boolean
  why: Finding | undefined
  /** the words of the person in the request that was refused last */
  said: string
  /** the numbers of the events whose findings were told when they happened, as chants are */
  told: number[]
  /** how many of the session's choices it knows */
  chosen: number
  /** the id of its last answer, as a place, where a request may go on from that */
  alias: string | undefined
  /** what a request that we answered would have told a provider that keeps the history itself */
  unsent: unknown[]
  /** what the last request to the provider cost */
  lastTokens: number
  lastDollars: number
}

// as many answers as a person goes back
const MAX_PAST = 64

/** A lane for a conversation that nothing is known of but what its request says. */
export function startLane(id: string, request: ModelRequest, options: GuardOptions): Lane {
  const lane = toLane(id, createGuard(options), {
    place: request.last,
    past: [],
    asked: '',
    persona: request.persona,
    hasCalls: false,
    since: 0,
    sinceBefore: 0,
    isRefused: false,
    why: undefined,
    said: '',
    told: [],
    chosen: 0,
    alias: undefined,
    unsent: [],
    lastTokens: 0,
    lastDollars: 0,
  })
  replay(lane, request)
  return lane
}

/** Shows what was before the request; the last answer is news, since nobody has told the model about it. */
function replay(lane: Lane, { history, pictures }: ModelRequest): void {
  const past = pastOf(withoutPlaceholders(history)).map((event) =>
    event.type === 'tool-result'
      ? { ...event, output: withPictures(event.output, pictures.get(event.id ?? '')) }
      : event,
  )
  const last = past.findLastIndex(({ type }) => type === 'turn-start')
  lane.run.replay(past.slice(0, Math.max(0, last)))
  lane.since = lane.guard.events
  lane.run.replay(past.slice(Math.max(0, last)))
}

/** Notes that a lane stands somewhere else now. */
export function moveLane(lane: Lane, place: string): void {
  if (lane.place !== undefined && lane.place !== place) {
    lane.past.push(lane.place)
    if (lane.past.length > MAX_PAST) lane.past.shift()
  }
  lane.place = place
}

/** The lane as text: JSON, compressed. */
export function freezeLane(lane: Lane): string {
  const { id: _, guard, run: _run, isBusy: _busy, version: _version, ...state } = lane
  const json = JSON.stringify({ ...state, snapshot: guard.snapshot() })
  // the fastest level makes a quarter of it; the slowest saves a tenth more
  return deflateRawSync(json, { level: 1 }).toString('base64')
}

// more than any guard has; a bomb is not unpacked
const MAX_BYTES = 4 * 2 ** 20

/** The lane that was frozen. */
export function thawLane(id: string, text: string, version: number, options: GuardOptions): Lane {
  const packed = Buffer.from(text, 'base64')
  const json = inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString()
  const { snapshot, ...state } = JSON.parse(json)
  return { ...toLane(id, createGuard(options, snapshot), state), version }
}

const toLane = (id: string, guard: Guard, state: LaneState): Lane => ({
  ...state,
  id,
  guard,
  run: runOf(guard, 'gateway'),
  isBusy: false,
  version: 0,
})
