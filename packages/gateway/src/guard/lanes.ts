import type { AgentEvent, GuardOptions } from 'unloop'
import { nextName } from 'unloop/wire'
import type { LaneEntry } from '../store/session.js'
import type { Store } from '../store/store.js'
import { freezeLane, type Lane, startLane, thawLane } from './lane.js'
import type { Located } from './locate.js'
import type { ModelRequest } from './read-request.js'
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
  leave(found: Located, request: ModelRequest): Located
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
  /** in the order of use, with their names */
  const live = new Map<Lane, string[]>()

  function drop(lane: Lane): void {
    for (const name of live.get(lane) ?? []) if (places.get(name) === lane) places.delete(name)
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
    const thawed = thawLane(id, text, version, options)
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
      const again = claimAt(`${key} asked ${whole}`)
      if (!again) return
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
      const latest = isNamed ? entries.findLast((one) => one.persona === persona) : undefined
      const longer = latest && (await open(key, id, latest))
      if (longer && isCompacted(longer, request)) return { lane: longer, way: 'compacted' }
      if (longer) longer.isBusy = false
      const made = startLane(id, request, options)
      made.isBusy = true
      return { lane: made, way: 'new' }
    },

    leave(found, request) {
      if (found.way === 'new') return found
      found.lane.isBusy = false
      return { ...found, lane: startLane(found.id, request, options), way: 'new' }
    },

    release(key, lane) {
      drop(lane)
      lane.isBusy = false
      const names = [`${key} asked ${lane.asked}`]
      if (lane.place !== undefined) names.push(`${key} ${lane.place}`)
      if (lane.alias !== undefined) names.push(`${key} ${lane.alias}`)
      for (const name of names) places.set(name, lane)
      live.set(lane, names)
      const [oldest] = live.keys()
      if (live.size <= MAX_LIVE || !oldest) return
      drop(oldest)
      const { id, place } = oldest
      // the answer at hand comes first
      if (place !== undefined) setImmediate(() => store.keep(id, place, () => freezeLane(oldest)))
    },

    get size() {
      return live.size
    },
  }
}

// as long as those that providers make up; those that count from 1 are everybody's
const MIN_OWN_ID = 12

const isOwnId = (id: string) => id.length >= MIN_OWN_ID

const hasOwnIds = ({ results }: ModelRequest) => results.some(({ id }) => isOwnId(id))

/** Whether a request that stands nowhere we know is what a compaction left of a lane. */
function isCompacted(lane: Lane, { last, history, results }: ModelRequest): boolean {
  // without an answer in it, it may as well be another agent of the session: only a summary goes on
  if (last === undefined) return lane.hasCalls && history.some(isSummary)
  // it went back, or it went on by answers that we did not hear
  if (lane.past.includes(last) || passes(history, lane.place)) return false
  const known = new Set(lane.run.calls.map(({ id }) => id))
  return results.some(({ id }) => isOwnId(id) && known.has(id))
}

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

/** Whether a history has stood at this place. */
function passes(history: readonly AgentEvent[], place: string | undefined): boolean {
  let name = ''
  return history.some((event) => {
    name = nextName(name, event)
    return name === place
  })
}
