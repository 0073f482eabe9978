import type { Breath } from '../body/breath.js'
import type { Body } from '../guard/read-request.js'
import type { Judge } from './guardrails.js'

/** Portkey's webhook: it sends a request or an answer, and wants a verdict; false refuses it. */
export function createPortkey(judge: Judge) {
  return async (asked: Body, breath: Breath): Promise<object> => {
    const { eventType, request, response } = asked ?? {}
    if (eventType === 'afterRequestHook') {
      const texts = [response?.text].filter((text) => typeof text === 'string')
      const finding = await judge.answer(texts, breath)
      return finding ? refusal(judge.words(finding)) : { verdict: true }
    }
    const body = request?.json
    if (typeof body !== 'object' || body === null) return { verdict: true }
    const decision = await judge.request(pathOf(body), body, breath)
    const { outcome, finding, advice = [] } = decision ?? {}
    if (outcome === 'respond' || outcome === 'error')
      return refusal(finding ? judge.words(finding) : '')
    if (outcome !== 'nudge' || !Array.isArray(body.messages)) return { verdict: true }
    const json = {
      ...body,
      messages: [...body.messages, { role: 'user', content: advice.join('\n') }],
    }
    return { verdict: true, transformedData: { request: { json } } }
  }
}

/** Portkey speaks in one voice to all providers, but Responses have their own. */
const pathOf = (body: Body) => ('input' in body ? '/v1/responses' : '/v1/chat/completions')

const refusal = (reason: string) => ({ verdict: false, data: { reason } })
