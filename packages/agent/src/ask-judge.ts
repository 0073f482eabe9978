import type { Verdict } from 'unloop/host'
import { createJudge, type JudgeAsk, type JudgeRequest } from 'unloop/judge'
import type { AgentOptions } from './agent.js'
import { askForText } from './ask-for-text.js'
import type { Conversation } from './conversation.js'
import { type Entry, isRequest } from './history.js'
import type { Message } from './message.js'
import type { Model, TokenUsage } from './model.js'

/** The judge of a conversation. */
export interface TurnJudge {
  /** A new request of the person. */
  reset(request: string): void
  /** Counts a turn and, when it is due, asks; gives what has to be acted on. */
  turnStarted(signal: AbortSignal): Promise<Verdict | undefined>
}

// as the reference shows its judge
const SHOWN = 20

/** A judge that is asked while the guard looks for loops, and whose verdict the guard takes like any other finding. */
export function createTurnJudge(
  { model, confirm, firstTurn }: NonNullable<AgentOptions['judge']>,
  conversation: Conversation,
): TurnJudge {
  const { guard, watch, history } = conversation
  const toAsking = (one: Model) => toAsk(one, conversation.toCounter(one, 'judge'))
  const judge = createJudge({
    ask: toAsking(model),
    history: () => history.toMessages() as unknown as Record<string, unknown>[],
    messages: SHOWN,
    ...(confirm && { confirm: toAsking(confirm) }),
    ...(firstTurn !== undefined && { firstTurn }),
  })
  judge.reset(conversation.request)
  return {
    reset: judge.reset,
    async turnStarted(signal) {
      // with an aborted signal it counts the turn and does not ask
      const asking = watch.isLooking ? signal : AbortSignal.abort()
      const verdict = await judge.turnStarted(asking, guard.events)
      return verdict && watch.report({ ...verdict, firstEvent: firstShown(history.entries) })
    },
  }
}

/** The first event of what the judge was shown, never one before the person's last request. */
function firstShown(entries: readonly Entry[]): number {
  const request = entries.findLast(({ message }) => isRequest(message))
  const shown = entries.slice(-SHOWN).find(({ message }) => message.role !== 'tool')
  return Math.max(shown?.first ?? 0, (request?.first ?? -1) + 1)
}

/** A model as one that the judge can ask; what it costs goes to `onUsage`. */
function toAsk(model: Model, onUsage: (usage: TokenUsage) => void): JudgeAsk {
  return async ({ system, messages, schema }: JudgeRequest, signal) => {
    const request = { system, messages: messages as Message[], tools: [], schema }
    const text = await askForText(model, request, signal, onUsage)
    return toOpinion(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)))
  }
}

function toOpinion(answer: Record<string, unknown>) {
  const { unproductive_state_analysis: analysis, unproductive_state_confidence: confidence } =
    answer
  return { analysis: String(analysis ?? ''), confidence: Number(confidence) }
}
