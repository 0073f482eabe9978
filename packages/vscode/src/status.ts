import type { Agent } from '@unloop/agent'
import { openLoop } from './chat/chat.js'
import type { ChatItem } from './chat/item.js'
import { isLikely } from './chat/loop-words.js'
import { foundInChat } from './found.js'
import type { Status } from './protocol.js'

// of four equal calls the second is half the way: early, and honest work seldom gets there
const SIGN_FROM = 0.5

/** How things stand; before the agent is made, what the chat and the settings tell. */
export function statusOf(
  items: readonly ChatItem[],
  isBusy: boolean,
  agent: Agent | undefined,
  speaker: string | undefined,
  expected: Pick<Status, 'model' | 'guardMode' | 'questions'>,
): Status {
  const found = foundInChat(items)
  const struggles = found.filter(({ finding }) => isLikely(finding)).length
  const loops = found.length - struggles
  const { questions } = expected
  const isStopped = openLoop(items) !== undefined
  const common = { isBusy, loops, struggles, isStopped, questions }
  if (!agent) return { ...common, ...expected, turn: 0, tokens: 0 }
  const { inputTokens, outputTokens } = agent.usage.session
  const sign = agent.guardMode === 'off' || !isBusy ? undefined : nearest(agent, speaker)
  return {
    ...common,
    model: agent.model.name,
    guardMode: agent.guardMode,
    turn: agent.turn,
    tokens: inputTokens + outputTokens,
    ...(sign && { sign }),
  }
}

/** How close each rule is, in one line, for the log. */
export function explain({ guard, guardMode }: Agent, speaker: string | undefined): string {
  const rules = guard
    .explain(speaker)
    .filter(({ count, excuse }) => count > 0 || excuse)
    .map(({ detector, count, limit, certainty, excuse }) => {
      const why = excuse ? ` (${excuse})` : ''
      const toward = certainty === 'likely' ? ' for struggling' : ''
      return `${detector} ${count} of ${limit}${toward}${why}`
    })
  return `guard ${guardMode}, ${rules.join(', ') || 'nothing repeats'}`
}

function nearest({ guard }: Agent, speaker: string | undefined): Status['sign'] {
  let near: Status['sign']
  let most = SIGN_FROM
  for (const { detector, pressure, count, limit, certainty } of guard.explain(speaker)) {
    // what is only likely leads to advice, which is as quiet as a sign
    if (pressure < most || certainty === 'likely') continue
    most = pressure
    near = { detector, count: Math.min(count, limit), limit }
  }
  return near
}
