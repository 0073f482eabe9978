import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { placeOf } from '../../host/lineage.js'
import type { Any } from '../shared/any.js'
import { toEvents, toItems } from './items.js'

/** The guard of a run, and what to do when the run is over. */
export interface Conversation {
  guard: Guard
  /** Saves the guard, under a name by which the next run finds it. */
  save(history: readonly Any[]): Promise<void>
}

/** Finds the conversation of a run: by its session, else by what was said so far. */
export async function openConversation(
  given: Guard | Guards,
  input: Any,
  options: Any,
): Promise<Conversation> {
  if (!isGuards(given)) return { guard: given, save: async () => {} }
  const id = await idOf(input, options)
  if (id !== undefined) return { guard: await given.open(id), save: () => given.save(id) }
  const { last, whole } = placeOf(toEvents(historyOf(input)))
  const own = globalThis.crypto.randomUUID()
  return {
    guard:
      (last && ((await given.take(whole, own)) ?? (await given.take(last, own)))) || given.of(own),
    save: (history) => given.save(own, placeOf(toEvents(history)).whole),
  }
}

/** What was said before this run; a state has it, and the calls that wait for the person. */
export function historyOf(input: Any): Any[] {
  if (!isState(input)) return toItems(input)
  const { history, _modelResponses } = input
  const known = new Set(history.map(({ callId }: Any) => callId))
  const last: Any[] = _modelResponses.at(-1)?.output ?? []
  return [...history, ...last.filter(({ callId }) => callId !== undefined && !known.has(callId))]
}

export const isState = (input: Any): boolean => input?._currentAgent !== undefined

async function idOf(input: Any, options: Any): Promise<string | undefined> {
  return (
    (await options?.session?.getSessionId?.()) ?? options?.conversationId ?? input?._conversationId
  )
}
