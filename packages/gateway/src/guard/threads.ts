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

/** Makes of a request what its provider understands, which does not know our answers; true if that changed it. */
export function mend(lane: Lane, { body, thread }: ModelRequest): boolean {
  const field = fieldOf(body)
  const isOurs = String(body.previous_response_id ?? '').startsWith(OURS)
  if (isOurs) delete body.previous_response_id
  const given = itemsOf(body[field])
  const items = given.filter((item) => !isReference(item))
  // who sends the whole history sends what was in the request that we answered as well
  const unsent = thread ? lane.unsent : []
  lane.unsent = []
  if (unsent.length > 0 || items.length < given.length) body[field] = [...unsent, ...items]
  return isOurs || unsent.length > 0 || items.length < given.length
}

/** Whether a client refers to words of ours instead of repeating them. */
const isReference = (item: Body): boolean =>
  item?.type === 'item_reference' && String(item.id).startsWith('msg_unloop')

/** An id for an answer of ours, which the next request goes on from. */
export const newAnswerId = (id: string): string => `${OURS}${id}`
