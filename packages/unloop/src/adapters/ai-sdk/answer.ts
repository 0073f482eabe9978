import type { AgentEvent } from '../../event.js'
import { nextName } from '../../host/lineage.js'
import type { CallEvent } from '../../host/run.js'
import { fromJsonText } from '../../reading/call-key.js'
import type { Account } from '../shared/account.js'
import type { Any } from '../shared/any.js'
import { toCall, toResult } from './tools.js'

/** Hears one answer of a model. */
export interface Ear {
  /** Hears a part while it comes; true if the answer has to end here. */
  hear(part: Any): boolean
  /** Hears an answer that came in one piece. */
  hearAll(answer: Any): Promise<void>
  /** The answer is over. */
  finish(): Promise<void>
}

/** Tells the guard of a conversation, known by this name so far, what its model answers; it may be the only one to tell of calls. */
export function createEar(account: Account, name: string, isOnly = false): Ear {
  const calls: CallEvent[] = []
  let isHeard = false
  // without an id, a call is known by its input, as the tools get it
  const isTold = ({ type, toolCallId }: Any) => type !== 'tool-call' || isOnly || toolCallId

  function hear(part: Any): boolean {
    const { run, isOwn } = account
    if (!isOwn) return false
    isHeard = true
    const event = isTold(part) && toEvent(part)
    if (!event) return false
    const verdict = run.decide(event)
    const isNew = event.type === 'tool-call' && !calls.some(({ id }) => id === event.id)
    if (isNew) calls.push(event)
    if (event.type === 'usage') run.decide({ type: 'turn-end' })
    if (event.type === 'tool-call') return verdict.type === 'stop'
    return (event.type === 'text' || event.type === 'reasoning') && verdict.type !== 'go'
  }

  return {
    hear: (part) => account.run.attempt(() => hear(part)) ?? false,
    async hearAll({ content, usage }) {
      const { run } = account
      run.attempt(() => {
        // all calls of the round before the first of them runs
        if (account.isOwn) run.decideRound(content.filter(isTold).map(toEvent).filter(isCall))
        for (const part of content) hear(part)
        hear({ type: 'finish', usage })
      })
      await this.finish()
    },
    async finish() {
      if (isHeard) await account.leave(calls.reduce(nextName, name))
    },
  }
}

const isCall = (event: AgentEvent | undefined): event is CallEvent => event?.type === 'tool-call'

/** What a part of an answer tells: of a stream, or of a whole one. */
function toEvent(part: Any): AgentEvent | undefined {
  const { type, delta, text = delta, usage } = part
  if (/^text(-delta)?$/.test(type)) return text ? { type: 'text', text } : undefined
  if (/^reasoning(-delta)?$/.test(type)) return text ? { type: 'reasoning', text } : undefined
  if (type === 'tool-call') return toCall({ ...part, input: fromJsonText(part.input) })
  if (type === 'tool-result') return toResult(part, part.result, part.isError === true)
  if (type !== 'finish') return
  const [inputTokens, outputTokens] = [usage?.inputTokens, usage?.outputTokens].map(
    (tokens) => tokens?.total ?? tokens,
  )
  return { type: 'usage', inputTokens, outputTokens }
}
