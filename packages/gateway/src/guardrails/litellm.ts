import type { Breath } from '../body/breath.js'
import type { Body } from '../guard/read-request.js'
import type { Judge } from './guardrails.js'

/** LiteLLM's generic guardrail: it sends the messages of a request or the texts of an answer, and wants to know what to do. */
export function createLitellm(judge: Judge) {
  return async (asked: Body, breath: Breath): Promise<object> => {
    if (asked?.input_type === 'response') return ofAnswer(judge, asked, breath)
    const { structured_messages: messages, tools, model, texts } = asked ?? {}
    if (!Array.isArray(messages)) return { action: 'NONE' }
    const body = { messages, tools: tools ?? [], model }
    const decision = await judge.request('/v1/chat/completions', body, breath)
    switch (decision?.outcome) {
      case 'respond':
      case 'error':
        return {
          action: 'BLOCKED',
          blocked_reason: decision.finding && judge.words(decision.finding),
        }
      case 'nudge':
        return Array.isArray(texts) && texts.length > 0
          ? { action: 'GUARDRAIL_INTERVENED', texts: withAdvice(texts, decision.advice) }
          : { action: 'NONE' }
      default:
        return { action: 'NONE' }
    }
  }
}

async function ofAnswer(judge: Judge, { texts }: Body, breath: Breath): Promise<object> {
  const given = Array.isArray(texts) ? texts.filter(isText) : []
  const finding = await judge.answer(given, breath)
  return finding ? { action: 'BLOCKED', blocked_reason: judge.words(finding) } : { action: 'NONE' }
}

const isText = (text: unknown) => typeof text === 'string'

/** The texts of the request, with the advice at the end of the last. */
const withAdvice = (texts: readonly unknown[], advice: readonly string[]) => [
  ...texts.slice(0, -1),
  [texts.at(-1), ...advice].join('\n\n'),
]
