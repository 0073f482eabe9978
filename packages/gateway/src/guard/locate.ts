import { randomUUID } from 'node:crypto'
import type { Opened } from '../store/session.js'
import type { Store } from '../store/store.js'
import { type FoundLane, type Lanes, lastOwnId } from './lanes.js'
import type { ModelRequest } from './read-request.js'
import { type Sender, toSessionId } from './session-key.js'

/** The session of a request, and its lane. */
export interface Located extends FoundLane {
  id: string
  opened: Opened
}

/** Asks the store, and gives undefined if it does not answer: then the history in the request has to do. */
export type Ask = <Value>(
  operation: string,
  work: () => Promise<Value>,
) => Promise<Value | undefined>

const NOTHING: Opened = { session: undefined, lanes: [] }

/** Finds the session and the lane of a request. */
export async function locate(
  lanes: Lanes,
  store: Store,
  ask: Ask,
  { key, session }: Sender,
  request: ModelRequest,
): Promise<Located> {
  const isNamed = session !== undefined
  const claimed = lanes.claim(key, request, isNamed)
  const id = isNamed
    ? toSessionId(key, session)
    : (claimed?.lane.id ?? (await findId(store, ask, key, request)) ?? randomUUID())
  const opened = (await ask('open', () => store.open(id))) ?? NOTHING
  if (claimed && isCurrent(claimed, id, opened)) return { ...claimed, id, opened }
  if (claimed) claimed.lane.isBusy = false
  const known = { entries: opened.lanes, isNamed }
  const found =
    (await ask('lane', () => lanes.find(key, id, request, known))) ??
    (await lanes.find(key, id, request, { entries: [], isNamed: false }))
  return { ...found, id, opened }
}

/** Sessions without a name are known by where their conversations stand. */
async function findId(store: Store, ask: Ask, key: string, request: ModelRequest) {
  const { last } = request
  if (last === undefined) return
  const id = await ask('find', () => store.find(pointerOf(key, last)))
  const call = lastOwnId(request)
  // of a history that was cut, the last calls are known
  return id ?? (call && ask('find', () => store.find(pointerOf(key, `call ${call}`))))
}

export const pointerOf = (key: string, place: string): string => `${key.slice(0, 16)} ${place}`

/** A conversation that always stands at the same place may have gone on elsewhere. */
function isCurrent({ lane }: FoundLane, id: string, { lanes }: Opened): boolean {
  const entry = lanes.find(({ place }) => place === lane.place)
  return lane.id === id && (entry === undefined || entry.version <= lane.version)
}
