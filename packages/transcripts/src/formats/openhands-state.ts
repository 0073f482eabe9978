import { type Json, listOf, numberOf, objectOf, textOf } from '../json.js'
import { count, type Spent, spent } from '../spent.js'
import type { Outcome, Run } from '../transcript.js'

/** What `base_state.json` says of a conversation. */
export interface State {
  facts: Partial<Run>
  outcome: Outcome | undefined
  /** what each answer took, by its id */
  answers: Map<string, Used>
  /** what each model took in all, by what it was used for */
  totals: Map<string, Used>
}

/** What a model took. */
export interface Used {
  /** what the model was used for, such as `agent` or `condenser` */
  name: string
  model: string | undefined
  spent: Spent
}

export function toState(value: unknown): State {
  const state = objectOf(value)
  const session = textOf(state.id)
  const project = textOf(objectOf(state.workspace).working_dir)
  const model = textOf(objectOf(objectOf(state.agent).llm).model)
  return {
    facts: {
      ...(session && { session }),
      ...(project && { project }),
      ...(model && { model }),
    },
    outcome: outcomeOf(state.execution_status ?? state.agent_status),
    answers: answersIn(state.stats),
    totals: totalsIn(state.stats),
  }
}

/** What a state of the program means for the run; undefined for one that it goes on in. */
export function outcomeOf(status: unknown): Outcome | undefined {
  const word = textOf(status)?.toLowerCase()
  const kind = word && ENDS[word]
  return kind ? { kind, status: word } : undefined
}

/** The sums so far, in a state or in an update of it. */
export function totalsIn(stats: unknown): State['totals'] {
  const totals: State['totals'] = new Map()
  for (const [name, metrics] of metricsIn(stats)) {
    const total = spentIn(objectOf(metrics.accumulated_token_usage), metrics.accumulated_cost)
    totals.set(name, { name, spent: total, model: modelIn(metrics) })
  }
  return totals
}

/** Tokens and dollars as OpenHands counts them. */
export function spentIn(usage: Json, dollars: unknown): Spent {
  const plain = spent(usage.prompt_tokens, usage.cache_read_tokens, usage.completion_tokens)
  const cost = numberOf(dollars)
  return {
    ...plain,
    // agents that are spoken to by ACP count what came from a cache apart
    input: plain.cached > plain.input ? plain.input + plain.cached : plain.input,
    written: count(usage.cache_write_tokens),
    ...(cost !== undefined && cost > 0 && { cost }),
  }
}

function answersIn(stats: unknown): State['answers'] {
  const answers: State['answers'] = new Map()
  for (const [name, metrics] of metricsIn(stats)) {
    const usages = listOf(metrics.token_usages).map(objectOf)
    const costs = listOf(metrics.costs).map((cost) => objectOf(cost).cost)
    for (const [i, usage] of usages.entries()) {
      const id = textOf(usage.response_id)
      // an answer that cost nothing has no entry among the costs
      const cost = costs.length === usages.length ? costs[i] : undefined
      if (id) answers.set(id, { name, spent: spentIn(usage, cost), model: modelIn(metrics) })
    }
  }
  return answers
}

function metricsIn(stats: unknown): [name: string, metrics: Json][] {
  const all = objectOf(objectOf(stats).usage_to_metrics)
  return Object.entries(all).map(([name, metrics]) => [name, objectOf(metrics)])
}

const modelIn = ({ model_name: model }: Json) => (model === 'default' ? undefined : textOf(model))

const ENDS: Record<string, Outcome['kind']> = Object.assign(Object.create(null), {
  finished: 'finished',
  error: 'failed',
  stuck: 'failed',
  rejected: 'failed',
  paused: 'aborted',
  stopped: 'aborted',
})
