import type { DetectorReport, Finder } from './detector.js'
import type { AgentEvent } from './event.js'
import type { Loop } from './ladder/ladder.js'
import { isRecord, type Rule } from './options.js'

/** How much one prompt may use, across all its agents. A field that is not set has no limit. */
export interface Budget {
  /** requests to the model, or rounds of calls if requests are not reported */
  steps?: number
  /** tokens, read and written */
  tokens?: number
  /** dollars, by `prices` */
  dollars?: number
  /** minutes between the first event and the last, by their `at` */
  minutes?: number
  /** dollars per million tokens; without `cached`, cached tokens cost as much as others */
  prices?: { input: number; cached?: number; output: number }
}

type Limit = 'steps' | 'tokens' | 'dollars' | 'minutes'

/** What was used since the last prompt. */
export interface Spent {
  turns: number
  rounds: number
  tokens: number
  dollars: number
  /** time of the first event and of the last, 0 if unknown */
  from: number
  to: number
  /** what was reported of it */
  loops: Loop[]
}

export const startSpent = (): Spent => ({
  turns: 0,
  rounds: 0,
  tokens: 0,
  dollars: 0,
  from: 0,
  to: 0,
  loops: [],
})

/** Named as the source of budget findings. */
export const BUDGET: Finder = {
  name: 'budget',
  plane: 'calls',
  advice:
    'The budget for this task is used up. Make no more calls: say what you found, what is done and what is missing.',
}

const NEARLY =
  'Most of the budget for this task is used up. Wrap up: do what matters most, then say what is done and what is missing.'

// early enough to wrap up: a fifth is left
const LIKELY_SHARE = 0.8

/** Adds the cost of an event. */
export function spend(spent: Spent, event: AgentEvent, isNewRound: boolean, budget: Budget): void {
  const { at = 0 } = event
  if (at > 0) {
    spent.from = Math.min(spent.from || at, at)
    spent.to = Math.max(spent.to, at)
  }
  if (event.type === 'turn-start') spent.turns++
  if (isNewRound) spent.rounds++
  if (event.type !== 'usage') return
  const [input, cached, output] = [event.inputTokens, event.cachedTokens, event.outputTokens].map(
    toAmount,
  ) as [number, number, number]
  spent.tokens += input + output
  if (!budget.prices) return
  const { prices } = budget
  const known = Math.min(cached, input)
  const paid =
    (input - known) * prices.input +
    known * (prices.cached ?? prices.input) +
    output * prices.output
  spent.dollars += paid / 1_000_000
}

/** Reports the nearest limit if it is reached, or nearly so. */
export function overspent(spent: Spent, budget: Budget): DetectorReport | undefined {
  const used: Record<Limit, number> = {
    // the step that begins is not used yet
    steps: Math.max(0, (spent.turns || spent.rounds) - 1),
    tokens: spent.tokens,
    dollars: spent.dollars,
    minutes: (spent.to - spent.from) / 60_000,
  }
  let most: Limit | undefined
  const share = (limit: Limit) => used[limit] / (budget[limit] ?? Number.POSITIVE_INFINITY)
  for (const limit of LIMITS) if (!most || share(limit) > share(most)) most = limit
  if (!most || share(most) < LIKELY_SHARE) return
  const isOver = share(most) >= 1
  const allowed = budget[most] ?? 0
  const count = used[most]
  return {
    kind: most,
    certainty: isOver ? 'certain' : 'likely',
    detail: `the budget is ${isOver ? '' : 'almost '}used up: ${show(most, count, allowed)}`,
    identity: most,
    count: Math.max(1, Math.trunc(count)),
    period: 1,
    firstEvent: 0,
    sample: '',
    isEverybody: true,
    ...(!isOver && { advice: NEARLY }),
  }
}

const LIMITS: readonly Limit[] = ['steps', 'tokens', 'dollars', 'minutes']

const show = (limit: Limit, used: number, allowed: number) =>
  limit === 'dollars'
    ? `${toDollars(used)} of ${toDollars(allowed)}`
    : `${Math.trunc(used)} of ${Math.trunc(allowed)} ${limit}`

const toDollars = (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`

const toAmount = (tokens: unknown) =>
  typeof tokens === 'number' && tokens > 0 && Number.isFinite(tokens) ? tokens : 0

const AMOUNT: Rule = [
  (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
  'must be a number above 0',
]

const isPrice = (value: unknown) => typeof value === 'number' && value >= 0

/** The rules for the fields of a budget. */
export const BUDGET_RULES: Record<keyof Budget, Rule> = {
  steps: AMOUNT,
  tokens: AMOUNT,
  dollars: AMOUNT,
  minutes: AMOUNT,
  prices: [
    (value) => isRecord(value) && [value.input, value.output, value.cached ?? 0].every(isPrice),
    'must be { input, cached, output } in dollars per million tokens',
  ],
}
