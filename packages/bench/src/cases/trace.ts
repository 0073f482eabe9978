import type { AgentEvent } from 'unloop'
import { cutAtRandom } from '../cut.js'
import type { Random } from '../random.js'
import type { Agent, Call } from './agents.js'

/** The numbers of the events that a step wrote. */
export interface Step {
  /** where its turn begins, words included */
  startAt: number
  callAt: number
  resultAt: number
}

export interface StepOptions {
  say?: string | undefined
  think?: string | undefined
  failed?: boolean
}

/** A run being written, event by event. */
export interface Trace {
  events: AgentEvent[]
  add(event: AgentEvent): number
  prompt(text: string): void
  /** one turn: perhaps some words, one call, its answer */
  step(call: Call, output: unknown, options?: StepOptions): Step
  /** one turn with several calls, then their answers */
  round(calls: readonly { call: Call; output: unknown; failed?: boolean }[], say?: string): Step
  /** one turn of words only, in deltas; the numbers of its first and last event */
  message(text: string, type?: 'text' | 'reasoning'): Step
}

/** Recorders differ: some write no turns, some give no ids, some cut text finely. A run keeps its habits. */
export function createTrace(random: Random, agent: Agent): Trace {
  const events: AgentEvent[] = []
  const habits = {
    starts: random.chance(0.88),
    ends: random.chance(0.6),
    usage: random.chance(0.3),
    ids: random.chance(0.9),
    names: random.chance(0.7),
    deltaMean: random.pick([5, 12, 20, 60, 4000]),
  }
  let calls = 0
  const idPrefix = random.pick(['call_', 'toolu_', 'c', 'chatcmpl-tool-'])

  const add = (event: AgentEvent) => events.push(event) - 1
  const words = (type: 'text' | 'reasoning', text: string) => {
    for (const delta of cutAtRandom(random, text, habits.deltaMean)) add({ type, text: delta })
  }
  const start = () => {
    if (habits.starts) add({ type: 'turn-start' })
  }
  const end = () => {
    if (habits.usage) {
      add({
        type: 'usage',
        inputTokens: random.int(900, 90_000),
        outputTokens: random.int(20, 2000),
      })
    }
    if (habits.ends) add({ type: 'turn-end' })
  }
  const callEvent = ({ name, args }: Call): { at: number; id: string | undefined } => {
    const id = habits.ids ? `${idPrefix}${++calls}${random.hex(6)}` : undefined
    return { at: add({ type: 'tool-call', ...(id ? { id } : {}), name, args }), id }
  }
  const resultEvent = (call: Call, id: string | undefined, output: unknown, failed: boolean) =>
    add({
      type: 'tool-result',
      ...(id ? { id } : {}),
      ...(habits.names || !id ? { name: call.name } : {}),
      output,
      ...(agent.flagsErrors ? { isError: failed } : {}),
    })

  return {
    events,
    add,
    prompt: (text) => void add({ type: 'prompt', text }),
    step(call, output, { say, think, failed = false } = {}) {
      const startAt = events.length
      start()
      if (think) words('reasoning', think)
      if (say) words('text', say)
      const { at, id } = callEvent(call)
      const resultAt = resultEvent(call, id, output, failed)
      end()
      return { startAt, callAt: at, resultAt }
    },
    round(calls, say) {
      const startAt = events.length
      start()
      if (say) words('text', say)
      const started = calls.map(({ call }) => callEvent(call))
      // answers of a parallel round come as the tools finish
      const order = calls.map((_, index) => index)
      const finished = habits.ids ? random.sample(order, order.length) : order
      let resultAt = events.length - 1
      for (const index of finished) {
        const { call, output, failed = false } = calls[index] as (typeof calls)[number]
        resultAt = resultEvent(call, started[index]?.id, output, failed)
      }
      end()
      return { startAt, callAt: started[0]?.at ?? resultAt, resultAt }
    },
    message(text, type = 'text') {
      const startAt = add({ type: 'turn-start' })
      const callAt = events.length
      words(type, text)
      const resultAt = events.length - 1
      end()
      return { startAt, callAt, resultAt }
    },
  }
}
