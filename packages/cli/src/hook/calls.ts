import { type AgentEvent, callKey } from 'unloop'
import type { Decision } from '../coding-agents/coding-agent.js'

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

/** A call that hooks have told of. */
export interface ToldCall {
  /** one of ours, since some agents use theirs again and again */
  id: string
  /** the agent's id, if it gives any */
  named?: string | undefined
  /** the same for the same call of the same agent */
  key: string
  name: string
  /** the hooks that told of the call, and of its answer */
  begun: string[]
  ended: string[]
  decision?: Decision
}

/** What is kept of calls between hooks. */
export interface SavedCalls {
  last: ToldCall[]
  count: number
}

/**
 * The calls of a session, each of them once: it is announced and answered by hooks, by two if two are installed, and some agents give
 * it no id. Then the oldest call with this name and these arguments is meant that this hook has not told of yet.
 */
export function createCalls(saved: SavedCalls = { last: [], count: 0 }) {
  const last = [...saved.last]
  let { count } = saved

  function add(name: string, key: string, id: string | undefined): ToldCall {
    const call = { id: `call-${count++}`, named: id, key, name, begun: [], ended: [] }
    last.push(call)
    if (last.length > MAX_CALLS) last.shift()
    return call
  }

  return {
    begin(source: string, { id, name, args }: CallEvent, agent = '') {
      const key = `${agent} ${callKey(name, args)}`
      const known = last.find(
        (call) =>
          call.key === key &&
          call.ended.length === 0 &&
          (isLoose(call, id) ? !call.begun.includes(source) : call.named === id),
      )
      const call = known ?? add(name, key, id)
      note(call.begun, source)
      return { call, isNew: known === undefined }
    },

    end(source: string, { id, name = '' }: ResultEvent, agent = '', args?: unknown) {
      const key = `${agent} ${callKey(name, args)}`
      const open = (call: ToldCall) => isLoose(call, id) && !call.ended.includes(source)
      const known =
        named(last, id) ??
        last.find((call) => open(call) && call.key === key && call.decision?.type !== 'deny') ??
        last.find((call) => open(call) && call.name === name && call.decision?.type !== 'deny')
      const call = known ?? add(name, key, id)
      const isNew = call.ended.length === 0
      note(call.ended, source)
      return { call, isNew, isUnseen: known === undefined }
    },

    save: (): SavedCalls => ({ last, count }),
  }
}

// more than are open at a time
const MAX_CALLS = 32

const named = (calls: readonly ToldCall[], id: string | undefined) =>
  id === undefined ? undefined : calls.findLast((call) => call.named === id)

/** Whether name and arguments have to tell if this is the call, since one of the two has no id. */
const isLoose = (call: ToldCall, id: string | undefined) =>
  id === undefined || call.named === undefined

function note(sources: string[], source: string): void {
  if (!sources.includes(source)) sources.push(source)
}
