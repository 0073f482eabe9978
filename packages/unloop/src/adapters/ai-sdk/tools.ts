import {
  type CallEvent,
  type ResultEvent,
  type Run,
  reasonOf,
  type Verdict,
} from '../../host/run.js'
import { LoopError } from '../../loop-error.js'
import { callKey } from '../../reading/call-key.js'

/** What we read of a call. */
export interface Call {
  toolCallId: string
  toolName: string
  input?: unknown
  /** there is no such tool, or it does not take this input */
  invalid?: boolean | undefined
}

/** What we read of a tool. */
export interface Tool {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's types are generic over what a tool takes and gives
  execute?: any
  // biome-ignore lint/suspicious/noExplicitAny: the same
  needsApproval?: any
}

/** Some servers give calls no ids; then what it calls tells which it is. */
export const idOf = ({ toolCallId, toolName, input }: Call) =>
  toolCallId || callKey(toolName, input)

export const toCall = (call: Call): CallEvent => ({
  type: 'tool-call',
  id: idOf(call),
  name: call.toolName,
  args: call.input,
})

export const toResult = (call: Call, output: unknown, isError: boolean): ResultEvent => ({
  type: 'tool-result',
  id: idOf(call),
  name: call.toolName,
  output,
  isError,
})

/** Finds the run that a tool is called in, if it is guarded, by the messages that the SDK hands to the tool. */
export type FindRun = (messages: unknown) => Run | undefined

/** The same tools, whose calls can be refused. */
export const guardTools = <Tools extends Record<string, Tool>>(find: FindRun, tools: Tools) =>
  Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, guardTool(find, name, tool)]),
  ) as Tools

function guardTool(find: FindRun, toolName: string, tool: Tool): Tool {
  const { execute, needsApproval: needs } = tool
  if (!execute) return tool

  // whether a tool answers in pieces the SDK sees at once, so this must not be async
  function value(input: unknown, options?: { toolCallId: string; messages?: unknown }): unknown {
    const run = find(options?.messages)
    if (!run) return execute.call(tool, input, options)
    const call = { toolCallId: options?.toolCallId ?? '', toolName, input }
    const verdict = run.decide(toCall(call))
    if ('reason' in verdict) return refuse(verdict)
    try {
      const output = execute.call(tool, input, options)
      return isInPieces(output) ? hearPieces(run, call, output) : hear(run, call, output)
    } catch (error) {
      return hear(run, call, Promise.reject(error))
    }
  }

  // a call that will be refused is not worth a question
  async function needsApproval(
    input: unknown,
    options: { toolCallId: string; messages?: unknown },
  ) {
    const verdict = find(options.messages)?.decide(toCall({ ...options, toolName, input }))
    if (verdict && 'reason' in verdict) return false
    return typeof needs === 'function' ? needs.call(tool, input, options) : needs
  }

  // the other members of a tool belong to the SDK, and to its class if it has one
  const members = {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value, enumerable: true },
    ...(needs && { needsApproval: { value: needsApproval, enumerable: true } }),
  }
  return Object.create(Object.getPrototypeOf(tool), members)
}

/** What a tool throws is what the model reads as its answer. */
async function refuse(verdict: Verdict): Promise<never> {
  throw verdict.type === 'stop' ? new LoopError(verdict.finding) : new Error(reasonOf(verdict))
}

async function hear(run: Run, call: Call, answer: unknown): Promise<unknown> {
  let output: unknown
  try {
    output = await answer
  } catch (error) {
    run.decide(toResult(call, String(error), true))
    throw error
  }
  const verdict = run.decide(toResult(call, output, false))
  return verdict.type === 'deny' ? refuse(verdict) : output
}

/** Passes the pieces of an answer on, the last of which is all of it. */
async function* hearPieces(run: Run, call: Call, pieces: AsyncIterable<unknown>) {
  let last: unknown
  try {
    for await (last of pieces) yield last
  } catch (error) {
    run.decide(toResult(call, String(error), true))
    throw error
  }
  await hear(run, call, last)
}

const isInPieces = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
