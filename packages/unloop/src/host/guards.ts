import { createFaults, type Fault } from '../fault.js'
import { createGuard, type Guard } from '../guard.js'
import { checkFields, isRecord } from '../options.js'
import type { GuardOptions } from '../settings.js'
import type { Snapshot } from '../state/snapshot.js'

/** Where the guards of conversations are kept between requests, such as Redis. */
export interface GuardStore {
  /** what was set last under this key, unless its time is over */
  get(key: string): Promise<string | null | undefined>
  set(key: string, value: string, timeToLiveMs: number): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** What `createGuards` takes. */
export interface GuardsOptions {
  /** the options of each guard */
  guard?: GuardOptions | ((conversation: string) => GuardOptions)
  /** shared by all processes; without it, guards live in this process */
  store?: GuardStore
  /** how long a conversation may be silent before its guard is dropped; a day if not given */
  idleMs?: number
  /** how many guards this process keeps; the one that was silent for longest makes room */
  max?: number
}

/** One guard per conversation. */
export interface Guards {
  /** The guard of a conversation, made when it is new. */
  of(conversation: string): Guard
  /** The same, read from the store first if there is one. */
  open(conversation: string): Promise<Guard>
  /** Writes the guard of a conversation to the store, under another name if one is given. */
  save(conversation: string, as?: string): Promise<void>
  /** The guard of a conversation under a new name, if there is one: what has the old name now is another conversation. */
  take(conversation: string, as: string): Promise<Guard | undefined>
  /** Forgets a conversation. */
  delete(conversation: string): Promise<void>
  /** failures that are of no single conversation: an unknown SDK, a store that is gone; the first ones only */
  readonly faults: readonly Fault[]
  addFault(part: string, error: unknown): void
  /** how many guards this process has */
  readonly size: number
}

const DAY_MS = 24 * 60 * 60_000
// a guard takes up to 142 KB, so a full house takes 1.4 GB at worst
const MAX_GUARDS = 10_000

interface Kept {
  guard: Guard
  usedAt: number
}

/**
 * Guards for all conversations of a server, made once beside its client. Every adapter takes it in the place of a guard.
 *
 * @example
 * const guards = createGuards()
 * const client = guardClient(guards, new OpenAI())
 */
export function createGuards(options: GuardsOptions = {}): Guards {
  checkFields('createGuards', options, {
    guard: [(value) => isRecord(value) || typeof value === 'function', 'must be guard options'],
    store: [isStore, 'must have get, set and delete'],
    idleMs: [isAmount, 'must be a number above 0'],
    max: [isAmount, 'must be a number above 0'],
  })
  const { store, idleMs = DAY_MS, max = MAX_GUARDS } = options
  const kept = new Map<string, Kept>()
  /** the names under which the store has guards */
  const origins = new WeakMap<Guard, string>()
  const optionsOf = (conversation: string) =>
    typeof options.guard === 'function' ? options.guard(conversation) : options.guard
  const usual = optionsOf('')
  // bad options are refused when the program starts, not in the middle of a conversation
  createGuard(usual)
  const faults = createFaults(usual?.onFault)

  /** A guard with the options of this conversation, or if those cannot be used with the usual ones. */
  function make(conversation: string, snapshot?: Snapshot): Guard {
    try {
      return createGuard(optionsOf(conversation), snapshot)
    } catch (error) {
      faults.add('createGuards', error)
      return createGuard(usual)
    }
  }

  function keep(conversation: string, guard: Guard): Guard {
    const now = Date.now()
    // the map's order is the order of use
    kept.delete(conversation)
    kept.set(conversation, { guard, usedAt: now })
    for (const [name, { usedAt }] of kept) {
      if (kept.size <= max && now - usedAt < idleMs) break
      kept.delete(name)
    }
    return guard
  }

  function find(conversation: string): Guard | undefined {
    const known = kept.get(conversation)
    return known && Date.now() - known.usedAt < idleMs ? known.guard : undefined
  }

  const of = (conversation: string): Guard =>
    keep(conversation, find(conversation) ?? make(conversation))

  /** The guard that the store has, if it can be read: a guard may be lost, a request may not. */
  async function load(conversation: string): Promise<Guard | undefined> {
    try {
      const text = await inTime(store?.get(PREFIX + conversation))
      if (!text) return
      return make(conversation, JSON.parse(text) as Snapshot)
    } catch (error) {
      faults.add('store', error)
    }
  }

  return {
    of,
    async open(conversation) {
      const loaded = await load(conversation)
      return loaded ? keep(conversation, loaded) : of(conversation)
    },
    async save(conversation, as = conversation) {
      const guard = find(conversation)
      if (!guard) return
      if (as !== conversation) {
        kept.delete(conversation)
        keep(as, guard)
      }
      try {
        await inTime(store?.set(PREFIX + as, JSON.stringify(guard.snapshot()), idleMs))
        const before = origins.get(guard)
        origins.set(guard, as)
        // where it stood before, nobody will look for it again
        if (before !== undefined && before !== as) await inTime(store?.delete(PREFIX + before))
      } catch (error) {
        faults.add('store', error)
      }
    },
    async take(conversation, as) {
      const guard = (await load(conversation)) ?? find(conversation)
      kept.delete(conversation)
      if (guard) origins.set(guard, conversation)
      return guard && keep(as, guard)
    },
    async delete(conversation) {
      kept.delete(conversation)
      try {
        await inTime(store?.delete(PREFIX + conversation))
      } catch (error) {
        faults.add('store', error)
      }
    },
    faults: faults.list,
    addFault: faults.add,
    get size() {
      return kept.size
    },
  }
}

/** Whether it is `createGuards()` rather than one guard. */
export const isGuards = (value: Guard | Guards): value is Guards =>
  typeof value === 'object' && value !== null && 'open' in value

const PREFIX = 'unloop:'

// a request may not wait for a store that is gone
const STORE_TIMEOUT_MS = 2000

/** The same, but it fails if there is no answer in time. */
function inTime<Value>(answer: Promise<Value> | undefined): Promise<Value | undefined> {
  if (!answer) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${STORE_TIMEOUT_MS} ms`))
    const timer = setTimeout(late, STORE_TIMEOUT_MS)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const isStore = (value: unknown) =>
  isRecord(value) && ['get', 'set', 'delete'].every((method) => typeof value[method] === 'function')

const isAmount = (value: unknown) => typeof value === 'number' && value > 0
