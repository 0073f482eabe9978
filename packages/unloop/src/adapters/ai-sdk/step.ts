import { callWith, type Run } from '../../host/run.js'
import { type Call, idOf, toCall, toResult } from './tools.js'

// The fields we read of the SDK's types; `ai-sdk.test-d.ts` holds them against versions 5, 6 and 7.

/** A step that is over. */
export interface Step {
  readonly text: string
  readonly reasoningText: string | undefined
  readonly finishReason: string
  readonly toolCalls: readonly Call[]
  readonly content: readonly Content[]
  readonly usage: { inputTokens: number | undefined; outputTokens: number | undefined }
}

interface Content {
  type: string
  toolCallId?: string
  output?: unknown
  error?: unknown
}

/** Tells of a step of which nothing was heard while it was taken. */
export function feedStep(run: Run, step: Step): void {
  const { text, reasoningText, usage } = step
  if (reasoningText) run.decide({ type: 'reasoning', text: reasoningText })
  if (text) run.decide({ type: 'text', text })
  feedCalls(run, step)
  const { inputTokens = 0, outputTokens = 0 } = usage
  run.decide({ type: 'usage', inputTokens, outputTokens })
  run.decide({ type: 'turn-end' })
}

/** Tells of the calls of a step and of their answers, those that are known aside. */
export function feedCalls(run: Run, { toolCalls, content }: Step): void {
  for (const call of toolCalls) {
    const known = callWith(run, idOf(call))
    const verdict = known?.turn === run.turn ? known.verdict : run.decide(toCall(call))
    // a call that cannot be run is answered by the SDK, so the reason has to come beside it
    if (call.invalid && verdict.type === 'deny') run.advise(verdict.reason)
  }
  for (const { type, toolCallId, output, error } of content) {
    const call = toolCalls.find((one) => one.toolCallId === toolCallId)
    if (call && type === 'tool-result') run.decide(toResult(call, output, false))
    if (call && type === 'tool-error') run.decide(toResult(call, String(error), true))
  }
}
