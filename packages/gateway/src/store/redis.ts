import { createClient, createCluster } from 'redis'
import { createBreaker } from './breaker.js'
import { CHOOSE, SAVE } from './scripts.js'
import { type LaneEntry, type Session, startSession } from './session.js'
import type { Store } from './store.js'

// All keys of a session share a slot of a cluster: what is in braces decides.
const keyOf = (id: string) => `unloop:{${id}}`
const pointerKeyOf = (place: string) => `unloop:at:${place}`
const RECENT = 'unloop:sessions'

// more than a page shows; the oldest are only off the page
const MAX_RECENT = 10_000
// a session may take 64 KB, and has 20 findings, choices and lanes beside the states of its lanes
const MAX_LANES = 8
const MAX_STATE_BYTES = 40 * 2 ** 10

// a request waits no longer than this for Redis, and after three times not at all for a while; a container with a quota of CPU may
// stall for 100 ms at a time
const TIMEOUT_MS = 250
const PAUSE_MS = 1000
const CLOSE_MS = 1000
const PERSON_MS = 2000

/** The few commands that are used, of one server or of a cluster. */
interface Redis {
  hmGet(key: string, fields: string[]): Promise<(string | null)[]>
  hGet(key: string, field: string): Promise<string | null>
  get(key: string): Promise<string | null>
  set(key: string, value: string, options: { PX: number }): Promise<unknown>
  del(key: string): Promise<unknown>
  zAdd(key: string, members: { score: number; value: string }[]): Promise<unknown>
  zRange(key: string, from: number, to: number, options: { REV: true }): Promise<string[]>
  zRemRangeByRank(key: string, from: number, to: number): Promise<unknown>
  pExpire(key: string, ms: number): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** Hears how Redis is doing. */
interface RedisObserver {
  failed(error: unknown): void
  /** The state of a lane is too large to be stored; elsewhere, it is made again from the history. */
  leftOut(): void
}

/** Sessions in Redis, shared by any number of instances. */
export async function createRedisStore(
  { url, isCluster }: { url: string; isCluster: boolean },
  idleMs: number,
  { failed, leftOut }: RedisObserver,
): Promise<Store> {
  const { client, redis } = await connect(url, isCluster, failed)
  const breaker = createBreaker(TIMEOUT_MS, PAUSE_MS)
  const inTime = breaker.run
  // a person waits longer than an agent, and has no history to fall back on
  const patiently = createBreaker(PERSON_MS, 0).run
  let saves = 0

  async function note(id: string, at: number): Promise<void> {
    await inTime(() => redis.zAdd(RECENT, [{ score: at, value: id }]))
    // now and then is enough
    if (saves++ % 100 > 0) return
    await inTime(() => redis.zRemRangeByRank(RECENT, 0, -MAX_RECENT - 1))
    await inTime(() => redis.pExpire(RECENT, idleMs))
  }

  async function read(
    id: string,
    wait = inTime,
  ): Promise<{ session: Session | undefined; lanes: LaneEntry[] }> {
    const [counts, about, findings, choices, lanes] = await wait(() =>
      redis.hmGet(keyOf(id), ['counts', 'about', 'findings', 'choices', 'lanes']),
    )
    if (!counts) return { session: undefined, lanes: [] }
    return {
      session: {
        ...startSession(id, 0),
        ...JSON.parse(about ?? '{}'),
        ...JSON.parse(counts),
        findings: JSON.parse(findings ?? '[]'),
        choices: JSON.parse(choices ?? '[]'),
      },
      lanes: JSON.parse(lanes ?? '[]'),
    }
  }

  return {
    kind: 'redis',
    get isUp() {
      return breaker.isClosed && client.isReady()
    },
    find: async (place) => (await inTime(() => redis.get(pointerKeyOf(place)))) ?? undefined,
    open: (id) => read(id),
    lane: async (id, place) =>
      (await inTime(() => redis.hGet(keyOf(id), `state:${place}`))) ?? undefined,

    async save(id, { lane, about, ...update }) {
      const { freeze, ...entry } = lane ?? {}
      const state = freeze?.() ?? ''
      const isTooLarge = state.length > MAX_STATE_BYTES
      if (isTooLarge) leftOut()
      const isKept = lane !== undefined && !isTooLarge
      const done = await inTime(() =>
        redis.eval(SAVE, {
          keys: [keyOf(id)],
          arguments: [
            JSON.stringify({ ...update, lane: isKept ? entry : null }),
            JSON.stringify(about),
            isKept ? state : '',
            JSON.stringify({ idleMs, maxLanes: MAX_LANES, maxBytes: MAX_STATE_BYTES }),
          ],
        }),
      )
      await note(id, update.at)
      return done === 1
    },

    async point(id, now, gone) {
      const set = now.map((place) => redis.set(pointerKeyOf(place), id, { PX: idleMs }))
      const deleted = gone.map((place) => redis.del(pointerKeyOf(place)))
      await inTime(() => Promise.all([...set, ...deleted]))
    },

    async choose(id, choice) {
      const done = await patiently(() =>
        redis.eval(CHOOSE, {
          keys: [keyOf(id)],
          arguments: [JSON.stringify(choice)],
        }),
      )
      return done === 1
    },

    async list(most) {
      const ids = await patiently(() => redis.zRange(RECENT, 0, most - 1, { REV: true }))
      const all = await Promise.all(ids.map((id) => read(id, patiently)))
      return all.flatMap(({ session }) => session ?? [])
    },
    keep() {},
    close: () => client.close(),
  }
}

async function connect(url: string, isCluster: boolean, onError: (error: unknown) => void) {
  const socket = {
    connectTimeout: 2000,
    // soon, then twice a second: traffic passes meanwhile
    reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, 500),
  }
  // commands that cannot be sent fail at once instead of waiting for the server to come back
  const options = { socket, disableOfflineQueue: true }
  const redis = isCluster
    ? createCluster({ rootNodes: [{ url }], defaults: options })
    : createClient({ url, ...options })
  redis.on('error', onError)
  // a gateway starts without Redis, too
  const connected = redis.connect().catch(onError)
  await Promise.race([connected, new Promise((resolve) => setTimeout(resolve, 1000).unref())])
  return {
    redis: redis as unknown as Redis,
    client: {
      isReady: () => (redis as { isReady?: boolean; isOpen: boolean }).isReady ?? redis.isOpen,
      async close() {
        const late = new Promise((_, reject) => setTimeout(reject, CLOSE_MS).unref())
        await Promise.race([redis.close(), late]).catch(() => redis.destroy())
      },
    },
  }
}
