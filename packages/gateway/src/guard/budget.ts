import type { Finding, GuardOptions } from 'unloop'
import { BUDGET, DEFAULT_LADDER, overspent, startSpent } from 'unloop/wire'
import type { SessionBudget } from '../config/config.js'
import type { Session } from '../store/session.js'

/** What a session's budget has to say about its next request. It climbs the same ladder as a loop, a step with each request. */
export function checkBudget(
  session: Session | undefined,
  budget: SessionBudget,
  ladder: GuardOptions['ladder'],
): Finding | undefined {
  if (!session) return
  const { requests, tokens, dollars, over, pardons } = session
  const times = 1 + pardons
  const report = overspent(
    { ...startSpent(), turns: requests + 1, tokens, dollars },
    {
      ...(budget.requests !== undefined && { steps: budget.requests * times }),
      ...(budget.tokens !== undefined && { tokens: budget.tokens * times }),
      ...(budget.dollars !== undefined && { dollars: budget.dollars * times }),
    },
  )
  if (!report) return
  const { kind, detail, identity, count, period, advice = BUDGET.advice } = report
  const certainty = report.certainty ?? 'certain'
  // that most of it is used up is said once
  if (certainty === 'likely' && session.findings.some(isBudget)) return
  const steps = stepsOf(ladder)
  const action =
    certainty === 'likely' ? 'warn' : (steps[Math.min(over, steps.length - 1)] ?? 'stop')
  return {
    detector: BUDGET.name,
    kind,
    certainty,
    detail: detail.replace(/ steps$/, ' requests'),
    advice,
    identity,
    count,
    period,
    firstEvent: 0,
    lastEvent: 0,
    sample: '',
    strike: over + 1,
    action,
    wasted: { events: 0, characters: 0 },
  }
}

const isBudget = ({ detector }: { detector: string }) => detector === BUDGET.name

const stepsOf = (ladder: GuardOptions['ladder'] = {}): readonly Finding['action'][] =>
  'calls' in ladder || 'text' in ladder
    ? (ladder.calls ?? DEFAULT_LADDER.calls)
    : Array.isArray(ladder)
      ? ladder
      : DEFAULT_LADDER.calls
