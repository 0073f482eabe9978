import { callKey } from '../call-key.js'
import type { Guard } from '../guard.js'
import { LoopError } from '../loop-error.js'
import { toLastModel, toWatched } from './ai-sdk-model.js'
import { known, type Link, linkOf, reasonOf, seeCall, seeResult, type Verdict } from './link.js'

// The fields we read of the SDK's types; `ai-sdk.test-d.ts` holds them against versions 5, 6 and 7.

interface Call {
  toolCallId: string
  toolName: string
  input?: unknown
}

interface Step {
  text?: string
  reasoningText?: string | undefined
  toolCalls: readonly Call[]
  content: readonly { type: string; toolCallId?: string; output?: unknown; error?: unknown }[]
  usage?: { inputTokens?: number | undefined; outputTokens?: number | undefined }
}

interface Message {
  role: string
  content: unknown
}

interface StepStart {
  steps: readonly Step[]
  stepNumber: number
  messages: readonly Message[]
  model: unknown
}

interface Tool {
  execute?: Any
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's types are generic over the tools; what we take and give fits all of them
type Any = any

export interface RunOptions<Tools> {
  tools?: Tools
  /** conditions of your own, which go on to hold */
  stopWhen?: Any
  /** callbacks of your own, which go on to be called; in version 7 the second may be called `onStepEnd` */
  prepareStep?: Any
  onStepFinish?: Any
}

/**
 * Options of `generateText`, `streamText` or an agent that guard one run: tools that can be refused, a condition that ends
 * the run, advice before the next step, and an end to a chant. `guard.stopped` and `guard.assert()` tell how it ended.
 *
 * @example
 * const guard = createGuard()
 * const result = streamText({ model, prompt, ...guardRun(guard, { tools, stopWhen: stepCountIs(20) }) })
 */
export function guardRun<Tools extends Record<string, Tool> = Record<never, never>>(
  guard: Guard,
  { tools = {} as Tools, stopWhen = [], prepareStep, onStepFinish }: RunOptions<Tools> = {},
) {
  const link = linkOf(guard, 'ai-sdk')
  const run = {}
  let read = 0
  let finished = 0
  let isStreamed = false
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

  /** Hears a piece of an answer while it comes; true if it has to end here. */
  function hear(type: 'text' | 'reasoning', text: string): boolean {
    isStreamed = true
    return link.isAlone(run) && link.see({ type, text }).type !== 'go'
  }

  return {
    tools: guardTools(link, run, tools),

    stopWhen: [
      ({ steps }: { steps: readonly Step[] }) => {
        if (!link.isAlone(run)) return false
        feed(steps)
        return link.stopped !== undefined
      },
      ...[stopWhen].flat(),
    ] as Any,

    prepareStep: (async (start: StepStart) => {
      const own = (await prepareStep?.(start)) ?? {}
      if (!link.isAlone(run)) return own
      const { steps, stepNumber, model, messages } = { ...start, ...own }
      feed(steps)
      const notes = stepNumber === 0 ? (link.attempt(() => begin(link, start.messages)) ?? []) : []
      const { stopped } = link
      isEnded = stopped !== undefined
      if (stopped) return { ...own, model: toLastModel(start.model, `Stopped: ${stopped.detail}.`) }
      link.see({ type: 'turn-start' })
      const content = [...notes, link.takeAdvice() ?? []].flat().join('\n')
      return {
        ...own,
        model: toWatched(link, model, hear),
        ...(content !== '' && { messages: [...messages, { role: 'user', content }] }),
      }
    }) as Any,

    onStepFinish: (async (step: Step) => {
      // who has asked for the next step, or whether there is one, has told of this one
      if (++finished > read && link.isAlone(run)) feedNext(step)
      await onStepFinish?.(step)
    }) as Any,
  }
}

/**
 * `toolApproval` of version 7: a call that goes round in circles is denied, with the reason.
 *
 * @example generateText({ model, tools, toolApproval: guardApproval(guard) })
 */
export function guardApproval(guard: Guard) {
  const link = linkOf(guard, 'ai-sdk')
  return ({ toolCall }: { toolCall: Call }) => {
    const verdict = tellCall(link, toolCall)
    return 'reason' in verdict ? { type: 'denied' as const, reason: verdict.reason } : undefined
  }
}

function guardTools<Tools extends Record<string, Tool>>(
  link: Link,
  run: object,
  tools: Tools,
): Tools {
  const guarded = Object.entries(tools).map(([toolName, tool]) => {
    const { execute } = tool
    if (!execute) return [toolName, tool]
    const value = async (input: unknown, options: { toolCallId: string }) => {
      if (!link.isAlone(run)) return execute.call(tool, input, options)
      const call = { toolCallId: options.toolCallId, toolName, input }
      const verdict = tellCall(link, call)
      // what a tool throws is what the model reads as its answer
      if (verdict.type === 'deny') throw new Error(verdict.reason)
      if (verdict.type === 'stop') throw new LoopError(verdict.finding)
      let output: unknown
      try {
        output = await execute.call(tool, input, options)
      } catch (error) {
        tellResult(link, call, String(error), true)
        throw error
      }
      // an answer in pieces is whole when the step is over
      if (isStream(output)) return output
      const answer = tellResult(link, call, output, false)
      if (answer.type === 'deny') throw new Error(answer.reason)
      return output
    }
    // the other members of a tool belong to the SDK, and to its class if it has one
    const members = {
      ...Object.getOwnPropertyDescriptors(tool),
      execute: { value, enumerable: true },
    }
    return [toolName, Object.create(Object.getPrototypeOf(tool), members)]
  })
  return Object.fromEntries(guarded)
}

function feedStep(
  link: Link,
  { text, reasoningText, toolCalls, content, usage }: Step,
  withText: boolean,
) {
  if (withText && reasoningText) link.see({ type: 'reasoning', text: reasoningText })
  if (withText && text) link.see({ type: 'text', text })
  for (const call of toolCalls) tellCall(link, call)
  for (const { type, toolCallId, output, error } of content) {
    const call = toolCalls.find((one) => one.toolCallId === toolCallId)
    if (call && type === 'tool-result') tellResult(link, call, output, false)
    if (call && type === 'tool-error') tellResult(link, call, String(error), true)
  }
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {}
  link.see({ type: 'usage', inputTokens, outputTokens })
  link.see({ type: 'turn-end' })
}

/** Tells what a run begins with: words of the person, or the answers to calls that the program runs itself; gives reasons for the model. */
function begin(link: Link, messages: readonly Message[]): string[] {
  const last = messages.at(-1)
  if (last?.role === 'user') link.see({ type: 'prompt', text: textOf(last.content) })
  const answers = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1)
  return answers
    .flatMap(({ content }) => content as Any[])
    .flatMap(({ type, toolCallId: id, toolName: name, output }) => {
      const call = known(link, id)
      if (type !== 'tool-result' || !call || call.answer) return []
      const isError = /^error/.test(output?.type)
      const answer = { type, id, name, output: output?.value, isError } as const
      const verdict = seeResult(link, answer, call)
      return reasonOf(call.verdict) ?? reasonOf(verdict) ?? []
    })
}

/** Some servers give calls no ids; then what it calls tells which it is. */
const idOf = ({ toolCallId, toolName, input }: Call) => toolCallId || callKey(toolName, input)

const tellCall = (link: Link, call: Call): Verdict =>
  seeCall(link, { type: 'tool-call', id: idOf(call), name: call.toolName, args: call.input })

const tellResult = (link: Link, call: Call, output: unknown, isError: boolean) =>
  seeResult(link, { type: 'tool-result', id: idOf(call), name: call.toolName, output, isError })

const isStream = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n')
}
