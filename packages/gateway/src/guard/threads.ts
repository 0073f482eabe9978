import type { Lane } from './lane.js'
import type { Body, ModelRequest } from './read-request.js'

// Where a provider keeps the history, it does not know of a request that we answered: what was in it goes with the next one.

// a session has 64 KB in the store
const MAX_UNSENT = 16 * 2 ** 10
const OURS = 'resp_unloop_'

const fieldOf = (body: Body): 'messages' | 'input' => (body.messages ? 'messages' : 'input')

const itemsOf = (value: unknown): unknown[] =>
  typeof value === 'string' ? [{ role: 'user', content: value }] : Array.isArray(value) ? value : []

/** Keeps what the provider will not get; long answers of tools are left out. */
export function keepUnsent(lane: Lane, { body }: ModelRequest): void {
  const items = [...lane.unsent, ...itemsOf(body[fieldOf(body)])]
  lane.unsent = JSON.stringify(items).length <= MAX_UNSENT ? items : items.map(shorten)
}

function shorten(item: Body): unknown {
  return 'output' in item ? { ...item, output: '(left out)' } : item
}

/** Adds to a request what the provider did not get; true if that changed it. */
export function addUnsent(lane: Lane, { body }: ModelRequest): boolean {
  const field = fieldOf(body)
  const isOurs = String(body.previous_response_id ?? '').startsWith(OURS)
  if (isOurs) delete body.previous_response_id
  if (lane.unsent.length === 0) return isOurs
  body[field] = [...lane.unsent, ...itemsOf(body[field])]
  lane.unsent = []
  return true
}

/** An id for an answer of ours, which the next request goes on from. */
export const newAnswerId = (id: string): string => `${OURS}${id}`
