import { type LaneEntry, type Session, startSession, withChoice, withUpdate } from './session.js'
import type { Store } from './store.js'

interface Kept {
  session: Session
  lanes: Map<string, { entry: LaneEntry; text?: string }>
  places: Set<string>
}

// a main agent, its sub-agents side by side, and what was forked
const MAX_LANES = 8

/** Sessions in the memory of this process. */
export function createMemoryStore(most: number, idleMs: number): Store {
  /** in the order of use */
  const sessions = new Map<string, Kept>()
  const places = new Map<string, string>()

  function use(id: string, at: number): Kept {
    const kept = sessions.get(id) ?? {
      session: startSession(id, at),
      lanes: new Map(),
      places: new Set(),
    }
    sessions.delete(id)
    sessions.set(id, kept)
    for (const [oldest, { session }] of sessions) {
      if (sessions.size <= most && at - session.lastAt < idleMs) break
      if (oldest !== id) forget(oldest)
      else break
    }
    return kept
  }

  function forget(id: string): void {
    for (const place of sessions.get(id)?.places ?? []) places.delete(place)
    sessions.delete(id)
  }

  return {
    kind: 'memory',
    isUp: true,
    find: async (place) => places.get(place),
    async open(id) {
      const kept = sessions.get(id)
      return {
        session: kept?.session,
        lanes: [...(kept?.lanes.values() ?? [])].map(({ entry }) => entry),
      }
    },
    lane: async (id, place) => sessions.get(id)?.lanes.get(place)?.text,
    async save(id, update) {
      const kept = use(id, update.at)
      kept.session = withUpdate(kept.session, update)
      const { lane } = update
      if (!lane) return true
      const { from, freeze: _, ...entry } = lane
      if (from !== undefined) kept.lanes.delete(from)
      kept.lanes.delete(entry.place)
      kept.lanes.set(entry.place, { entry })
      const [oldest = ''] = kept.lanes.keys()
      if (kept.lanes.size > MAX_LANES) kept.lanes.delete(oldest)
      return true
    },
    async point(id, now, gone) {
      const kept = sessions.get(id)
      if (!kept) return
      for (const place of gone) {
        kept.places.delete(place)
        places.delete(place)
      }
      for (const place of now) {
        kept.places.add(place)
        places.set(place, id)
      }
    },
    async choose(id, choice) {
      const kept = sessions.get(id)
      if (kept) kept.session = withChoice(kept.session, choice)
      return kept !== undefined
    },
    list: async (count) =>
      [...sessions.values()]
        .slice(-count)
        .reverse()
        .map(({ session }) => session),
    keep(id, place, freeze) {
      const lane = sessions.get(id)?.lanes.get(place)
      if (lane) lane.text = freeze()
    },
    async close() {},
  }
}
