import type { Agent } from '@unloop/agent'
import type { Explanation } from 'unloop'
import type { Status } from './state.js'

// what is only likely leads to advice, which is as quiet as a sign; the third of four equal calls is two thirds of the way, the second one third, which is too early
const SIGN_FROM = 0.5

/** What the status line says, as the agent is now; `speaker` is whose loop may be building up. */
export function statusOf(
  agent: Agent,
  { speaker, name }: { speaker: string | undefined; name: string | undefined },
): Status {
  const { inputTokens, outputTokens, dollars } = agent.usage.session
  const sign = agent.guardMode === 'off' ? undefined : nearest(agent.guard.explain(speaker))
  return {
    model: agent.model.name,
    turn: agent.turn,
    tokens: inputTokens + outputTokens,
    guard: agent.guardMode,
    ...(dollars !== undefined && { dollars }),
    ...(name !== undefined && { name }),
    ...(sign && { sign }),
  }
}

function nearest(explanation: readonly Explanation[]): Explanation | undefined {
  return explanation
    .filter(({ certainty }) => certainty !== 'likely')
    .filter(({ pressure, excuse }) => pressure >= SIGN_FROM && excuse === undefined)
    .sort((a, b) => b.pressure - a.pressure)[0]
}
