import type { Guard } from '../../guard.js'
import { type Run, runOf } from '../../host/run.js'
import { isAlone } from '../shared/alone.js'
import { begin, type Message } from './messages.js'
import { type Part, toDelta, toLastModel, toWatched } from './model.js'
import { type Call, guardTools, type Tool, tellCall, tellResult } from './tools.js'

export { type Outcome, outcomeOf } from '../../host/run.js'
export { guardMiddleware } from './middleware.js'

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

/** A step that comes next. */
export interface StepStart {
  steps: readonly Step[]
  stepNumber: number
  messages: readonly Message[]
  model: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's types are generic over the tools; what we give fits all of them
type Any = any

/** What of a run is yours, and goes on to work; each may as well take the SDK's own types. */
export interface RunOptions {
  stopWhen?: StopCondition | readonly StopCondition[]
  prepareStep?(start: StepStart): unknown
  onStepFinish?(step: Step): unknown
  /** its name in version 7 */
  onStepEnd?(step: Step): unknown
}

type StopCondition = {
  // a method, since the SDK's own conditions know more of the steps than this
  is(options: { steps: Step[] }): boolean | PromiseLike<boolean>
}['is']

/** Goes into the options of a run. */
export interface GuardedRun {
  prepareStep: Any
  onStepFinish: Any
  stopWhen?: Any
}

/**
 * Options of `generateText`, `streamText` or an agent that guard one run: tools that can be refused, a condition that ends
 * the run, advice before the next step, and an end to a chant. `outcomeOf(guard)` tells how it ended.
 *
 * @example
 * const guard = createGuard()
 * const result = streamText({ model, prompt, ...guardRun(guard, { tools, stopWhen: stepCountIs(20) }) })
 */
export function guardRun<Tools extends Record<string, Tool>>(
  guard: Guard,
  options: RunOptions & { tools: Tools },
): GuardedRun & { tools: Tools }
export function guardRun(guard: Guard, options?: RunOptions): GuardedRun
export function guardRun(
  guard: Guard,
  {
    tools,
    stopWhen,
    prepareStep,
    onStepFinish,
    onStepEnd,
  }: RunOptions & { tools?: Record<string, Tool> } = {},
): GuardedRun {
  const link = runOf(guard, 'ai-sdk')
  const run = {}
  let read = 0
  let finished = 0
  let isStreamed = false
  let isPrepared = false
  let isEnded = false

  /** Tells what the steps brought that no other seam has told. */
  function feed(steps: readonly Step[]): void {
    for (const step of steps.slice(read)) feedNext(step)
  }

  function feedNext(step: Step): void {
    read++
    // the last words of a run that has ended are ours
    if (!isEnded) link.attempt(() => feedStep(link, step, !isStreamed))
  }

  /** Hears a part of an answer while it comes; true if it has to end here. */
  function hear({ type, delta }: Part): boolean {
    const event = toDelta(type, delta)
    if (!event) return false
    isStreamed = true
    return isAlone(link, run) && link.decide(event).type !== 'go'
  }

  /** Whether the words that end a stopped run are still to come: the next step has them, and asks nobody. */
  function isUnsaid({ steps }: { steps: readonly Step[] }): boolean {
    if (isEnded || !isAlone(link, run)) return false
    feed(steps)
    return link.stopped !== undefined
  }

  const unless =
    (isOver: StopCondition): StopCondition =>
    (options) =>
      !isUnsaid(options) && isOver(options)

  return {
    ...(tools && { tools: guardTools(link, run, tools) }),

    // any condition takes the place of the SDK's own limit
    ...(stopWhen && { stopWhen: [stopWhen].flat().map(unless) }),

    async prepareStep(start: StepStart) {
      isPrepared = true
      const own = ((await prepareStep?.(start)) ?? {}) as Partial<StepStart>
      if (!isAlone(link, run)) return own
      const { steps, stepNumber, model, messages } = { ...start, ...own }
      feed(steps)
      const notes = stepNumber === 0 ? (link.attempt(() => begin(link, start.messages)) ?? []) : []
      const { stopped } = link
      isEnded = stopped !== undefined
      if (stopped) return { ...own, model: toLastModel(start.model, `Stopped: ${stopped.detail}.`) }
      link.decide({ type: 'turn-start' })
      const content = [...notes, link.takeAdvice() ?? []].flat().join('\n')
      return {
        ...own,
        model: toWatched(link, model, hear),
        ...(content !== '' && { messages: [...messages, { role: 'user', content }] }),
      }
    },

    async onStepFinish(step: Step) {
      if (!isPrepared)
        link.giveUp('prepareStep was not called: it was replaced, or the SDK is too old')
      // who has asked for the next step, or whether there is one, has told of this one
      if (++finished > read && isAlone(link, run)) feedNext(step)
      await onStepFinish?.(step)
      await onStepEnd?.(step)
    },
  }
}

/**
 * `toolApproval` of version 7, beside `guardRun`: a call that goes round in circles is denied before anybody is asked.
 *
 * @example generateText({ model, prompt, ...guardRun(guard, { tools, stopWhen }), toolApproval: guardApproval(guard) })
 */
export function guardApproval(guard: Guard) {
  const link = runOf(guard, 'ai-sdk')
  return ({ toolCall }: { toolCall: Call }) => {
    const verdict = tellCall(link, toolCall)
    return 'reason' in verdict ? { type: 'denied' as const, reason: verdict.reason } : undefined
  }
}

function feedStep(
  link: Run,
  { text, reasoningText, toolCalls, content, usage }: Step,
  withText: boolean,
) {
  if (withText && reasoningText) link.decide({ type: 'reasoning', text: reasoningText })
  if (withText && text) link.decide({ type: 'text', text })
  for (const call of toolCalls) {
    const verdict = tellCall(link, call)
    // a call that cannot be run is answered by the SDK, so the reason has to come beside it
    if (call.invalid && verdict.type === 'deny') link.advise(verdict.reason)
  }
  for (const { type, toolCallId, output, error } of content) {
    const call = toolCalls.find((one) => one.toolCallId === toolCallId)
    if (call && type === 'tool-result') tellResult(link, call, output, false)
    if (call && type === 'tool-error') tellResult(link, call, String(error), true)
  }
  const { inputTokens = 0, outputTokens = 0 } = usage
  link.decide({ type: 'usage', inputTokens, outputTokens })
  link.decide({ type: 'turn-end' })
}
