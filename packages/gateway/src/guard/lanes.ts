import { type AgentEvent, callKey, type GuardOptions } from 'unloop'
import type { LaneEntry } from '../store/session.js'
import type { Store } from '../store/store.js'
import { isOwnId } from './call-ids.js'
import { freezeLane, type Lane, startLane, thawLane } from './lane.js'
import type { Located } from './locate.js'
import { isModel, type ModelRequest } from './read-request.js'
import type { Way } from './show-request.js'

/** A lane that a request has for itself until its answer is over, and how it goes on from there. */
export interface FoundLane {
  lane: Lane
  way: Way
}

/** The lanes of conversations; those that were used last are in the memory of this process. */
export interface Lanes {
  /** The lane that stands where a request goes on, if this process has it. */
  claim(key: string, request: ModelRequest, isNamed: boolean): FoundLane | undefined
  /** The lane as the store has it, or made of what the request says. */
  find(key: string, id: string, request: ModelRequest, known: Known): Promise<FoundLane>
  /** A lane for a request on the side; the one that it would have gone on from stays where it is. */
  leave(found: Located, request: ModelRequest): Promise<Located>
  /** Gives a lane back, with where it stands now. */
  release(key: string, lane: Lane): void
  readonly size: number
}

/** What the store knows of a session. */
export interface Known {
  entries: readonly LaneEntry[]
  /** the session has a name of its own, so that all its requests are known to belong together */
  isNamed: boolean
}

// a guard with a long text takes up to 256 KB
const MAX_LIVE = 1000

export function createLanes(store: Store, options: GuardOptions): Lanes {
  /** by where they stand and by the request that they answered last */
  const places = new Map<string, Lane>()
  /** in the order of use, with the keys of their senders and their names */
  const live = new Map<Lane, { key: string; names: string[] }>()

  function drop(lane: Lane): void {
    for (const name of live.get(lane)?.names ?? [])
      if (places.get(name) === lane) places.delete(name)
    live.delete(lane)
  }

  function claimAt(name: string): Lane | undefined {
    const lane = places.get(name)
    if (!lane || lane.isBusy) return
    lane.isBusy = true
    return lane
  }

  /** The lane of an entry, from memory if it is up to date there. */
  async function open(key: string, id: string, { place, version }: LaneEntry) {
    const lane = places.get(`${key} ${place}`)
    if (lane && lane.version >= version) return claimAt(`${key} ${place}`)
    const text = await store.lane(id, place)
    if (text === undefined) return
    const thawed = thawLane({ id, key }, text, version, options)
    thawed.isBusy = true
    return thawed
  }

  return {
    claim(key, request, isNamed) {
      const { last, whole } = request
      const on = last === undefined ? undefined : claimAt(`${key} ${last}`)
      if (on) return { lane: on, way: 'on' }
      // somebody else may ask the same thing
      if (!isNamed && !hasOwnIds(request)) return
      const longer = claimAt(`${key} call ${lastOwnId(request)}`)
      if (longer && isCompacted(longer, request, isNamed)) return { lane: longer, way: 'compacted' }
      if (longer) longer.isBusy = false
      const again = claimAt(`${key} asked ${whole}`)
      if (!again) return
      if (isNextWindow(again, request, isNamed)) return { lane: again, way: 'compacted' }
      // without a history, what was answered is asked anew: a classifier, a monitor
      if (last !== undefined || again.isRefused || again.place === undefined)
        return { lane: again, way: 'again' }
      again.isBusy = false
      return
    },

    async find(key, id, request, { entries, isNamed }) {
      const { last, persona } = request
      const entry = entries.find(({ place, alias }) => place === last || (alias && alias === last))
      const lane = entry && (await open(key, id, entry))
      if (lane) return { lane, way: 'on' }
      // a history that stands nowhere may be what is left of a longer one
      const latest =
        isNamed || lastOwnId(request) !== undefined
          ? entries.findLast((one) => one.persona === persona)
          : undefined
      const longer = latest && (await open(key, id, latest))
      if (longer && isCompacted(longer, request, isNamed)) return { lane: longer, way: 'compacted' }
      if (longer) longer.isBusy = false
      const made = await startLane(id, request, options)
      made.isBusy = true
      return { lane: made, way: 'new' }
    },

    async leave(found, request) {
      if (found.way === 'new') return found
      found.lane.isBusy = false
      return { ...found, lane: await startLane(found.id, request, options), way: 'new' }
    },

    release(key, lane) {
      drop(lane)
      lane.isBusy = false
      const names = [`${key} asked ${lane.asked}`]
      if (lane.place !== undefined) names.push(`${key} ${lane.place}`)
      if (lane.alias !== undefined) names.push(`${key} ${lane.alias}`)
      for (const id of lane.callIds) if (isOwnId(id)) names.push(`${key} call ${id}`)
      for (const name of names) places.set(name, lane)
      live.set(lane, { key, names })
      const [first] = live
      if (live.size <= MAX_LIVE || !first) return
      const [oldest, sender] = first
      drop(oldest)
      const { id, place } = oldest
      // the answer at hand comes first
      if (place !== undefined)
        setImmediate(() => store.keep(id, place, () => freezeLane(oldest, sender.key)))
    },

    get size() {
      return live.size
    },
  }
}

const hasOwnIds = ({ answeredIds }: ModelRequest) => answeredIds.some(isOwnId)

/** The id of the last call that was answered, if no other call has it. */
export function lastOwnId({ answeredIds }: ModelRequest): string | undefined {
  const id = answeredIds.at(-1)
  return id !== undefined && isOwnId(id) ? id : undefined
}

/** Whether a request that stands nowhere we know is what a compaction or a short window left of a lane. */
function isCompacted(lane: Lane, request: ModelRequest, isNamed: boolean): boolean {
  const { last, history, passed, answeredIds } = request
  // without an answer in it, it may as well be another agent of the session: only a summary goes on
  if (last === undefined) return isNamed && lane.hasCalls && history.some(isSummary)
  // it went back, or it went on by answers that we did not hear
  if (lane.past.includes(last) || passed.has(lane.place ?? '')) return false
  const known = new Set([...lane.callIds, ...lane.run.calls.map(({ id }) => id)])
  if (answeredIds.some((id) => isOwnId(id) && known.has(id))) return true
  return isNamed && hasLastCalls(lane, history)
}

/**
 * Whether a request that says the same as the one before is the next one all the same: of a short window, where calls have no ids of
 * their own, the answers to the same calls look like the request that led to them.
 */
const isNextWindow = (lane: Lane, request: ModelRequest, isNamed: boolean): boolean =>
  isNamed &&
  !lane.isRefused &&
  request.history[0]?.type !== 'prompt' &&
  isCompacted(lane, request, isNamed)

/** Whether the last calls in a history are those of the lane's last answer: ids may be anybody's, but not with the same arguments as well. */
function hasLastCalls({ run, hasCalls }: Lane, history: readonly AgentEvent[]): boolean {
  if (!hasCalls) return false
  const end = history.findLastIndex(isModel)
  const asked = run.calls.filter(({ turn }) => turn === run.turn)
  const made = history
    .slice(0, end + 1)
    .filter(isCall)
    .slice(-asked.length)
  return (
    asked.length > 0 &&
    asked.every(({ key, id }, at) => {
      const call = made[at]
      return call !== undefined && call.id === id && callKey(call.name, call.args) === key
    })
  )
}

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
const isCall = (event: AgentEvent): event is CallEvent => event.type === 'tool-call'

// a task for another agent may ask for a summary, but is rarely as long as one
const MIN_SUMMARY = 300
const SUMMARY =
  /summar|compact(?:ed|ion)|checkpoint|continued from|previous conversation|conversation so far|state_snapshot|hand-?off/i

/** Whether these are the words that an agent puts in the place of its history. */
const isSummary = (event: AgentEvent): boolean =>
  event.type === 'prompt' &&
  (event.text?.length ?? 0) >= MIN_SUMMARY &&
  SUMMARY.test(event.text?.slice(0, MAX_HEAD) ?? '')

// where it says what it is
const MAX_HEAD = 4000
