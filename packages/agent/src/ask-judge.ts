import type { Ask, JudgeRequest } from 'unloop'
import type { Message } from './message.js'
import type { Model, TokenUsage } from './model.js'

/** A model as one that the judge can ask; what it costs goes to `onUsage`. */
export function toAsk(model: Model, onUsage: (usage: TokenUsage) => void): Ask {
  return async ({ system, messages, schema }: JudgeRequest, signal) => {
    let text = ''
    const request = { system, messages: messages as Message[], tools: [], schema }
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'text') text += event.text
      if (event.type === 'usage') onUsage(event)
    }
    return toOpinion(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)))
  }
}

function toOpinion(answer: Record<string, unknown>) {
  const { unproductive_state_analysis: analysis, unproductive_state_confidence: confidence } =
    answer
  return { analysis: String(analysis ?? ''), confidence: Number(confidence) }
}
