import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type AgentEvent, createGuard, type Finding, type Guard, type GuardOptions } from 'unloop'
import { type Run, runOf } from 'unloop/host'
import { catchUp, requestAt, splitPast } from 'unloop/wire'
import { withBriefArgs } from './brief.js'
import { withPictures } from './pictures.js'
import { isModel, type ModelRequest } from './read-request.js'
import { seal, unseal } from './seal.js'

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
  /** the ids of those calls */
  callIds: string[]
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
export async function startLane(
  id: string,
  request: ModelRequest,
  options: GuardOptions,
): Promise<Lane> {
  const lane = toLane(id, createGuard(options), {
    place: request.last,
    past: [],
    asked: '',
    persona: request.persona,
    hasCalls: false,
    callIds: [],
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
  await replay(lane, request)
  return lane
}

/** Shows what was before the request; the last answer is news, since nobody has told the model about it. */
async function replay(lane: Lane, { history, pictures, breath }: ModelRequest): Promise<void> {
  const { run, guard } = lane
  const [past, lastAnswer] = splitPast(recentOf(history))
  for (const event of past) {
    run.replay([toShown(event, pictures)])
    if (breath.isDue) await breath.take()
  }
  lane.since = guard.events
  for (const event of lastAnswer) {
    catchUp(run, [toShown(event, pictures)])
    if (breath.isDue) await breath.take()
  }
}

// as many as a guard keeps
const MAX_ROUNDS = 120
// the calls of parallel rounds as well
const MAX_EVENTS = 2000

/** What a guard would know of a history: the last words of the person, and the last rounds. */
function recentOf(history: readonly AgentEvent[]): AgentEvent[] {
  const prompt = requestAt(history)
  const isStart = (at: number) =>
    isModel(history[at] as AgentEvent) && !isModel(history[at - 1] ?? PROMPT)
  let from = prompt + 1
  for (let at = history.length - 1, rounds = 0; at >= from; at--)
    if (isStart(at) && ++rounds === MAX_ROUNDS) from = at
  return [
    ...history.slice(Math.max(0, prompt), prompt + 1),
    ...history.slice(Math.max(from, history.length - MAX_EVENTS)),
  ]
}

const PROMPT: AgentEvent = { type: 'prompt' }

// a chant is found in much less
const MAX_TEXT = 64 * 2 ** 10

/** An event of a history as a guard is shown it. */
function toShown(event: AgentEvent, pictures: ReadonlyMap<string, string>): AgentEvent {
  if (event.type === 'tool-result')
    return { ...event, output: withPictures(event.output, pictures.get(event.id ?? '')) }
  if ((event.type === 'text' || event.type === 'reasoning') && event.text.length > MAX_TEXT)
    return { ...event, text: event.text.slice(-MAX_TEXT) }
  return withBriefArgs(event)
}

/** Notes that a lane stands somewhere else now. */
export function moveLane(lane: Lane, place: string): void {
  if (lane.place !== undefined && lane.place !== place) {
    lane.past.push(lane.place)
    if (lane.past.length > MAX_PAST) lane.past.shift()
  }
  lane.place = place
}

/** The lane as text: JSON, compressed, and sealed with the key of its sender. */
export function freezeLane(lane: Lane, key: string): string {
  const { id, guard, run: _run, isBusy: _busy, version: _version, ...state } = lane
  const json = JSON.stringify({ ...state, snapshot: guard.snapshot() })
  // the fastest level makes a quarter of it; the slowest saves a tenth more
  return seal(deflateRawSync(json, { level: 1 }), key, id)
}

// more than any guard has; a bomb is not unpacked
const MAX_BYTES = 4 * 2 ** 20

/** The lane that was frozen. */
export function thawLane(
  { id, key }: { id: string; key: string },
  text: string,
  version: number,
  options: GuardOptions,
): Lane {
  const packed = unseal(text, key, id)
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
