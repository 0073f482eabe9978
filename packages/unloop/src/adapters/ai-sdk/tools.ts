import { type Run, reasonOf, type Verdict } from '../../host/run.js'
import { LoopError } from '../../loop-error.js'
import { callKey } from '../../reading/call-key.js'
import { isAlone } from '../shared/alone.js'

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
}

/** Some servers give calls no ids; then what it calls tells which it is. */
const idOf = ({ toolCallId, toolName, input }: Call) => toolCallId || callKey(toolName, input)

export const tellCall = (link: Run, call: Call): Verdict =>
  link.decide({ type: 'tool-call', id: idOf(call), name: call.toolName, args: call.input })

export const tellResult = (link: Run, call: Call, output: unknown, isError: boolean) =>
  link.decide({ type: 'tool-result', id: idOf(call), name: call.toolName, output, isError })

/** The same tools, whose calls can be refused. */
export function guardTools<Tools extends Record<string, Tool>>(
  link: Run,
  run: object,
  tools: Tools,
): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [
    name,
    guardTool(link, run, name, tool),
  ])
  return Object.fromEntries(guarded)
}

function guardTool(link: Run, run: object, toolName: string, tool: Tool): Tool {
  const { execute } = tool
  if (!execute) return tool

  // whether a tool answers in pieces the SDK sees at once, so this must not be async
  function value(input: unknown, options?: { toolCallId: string }): unknown {
    if (!isAlone(link, run)) return execute.call(tool, input, options)
    const call = { toolCallId: options?.toolCallId ?? '', toolName, input }
    const verdict = tellCall(link, call)
    if ('reason' in verdict) return refuse(verdict)
    try {
      const output = execute.call(tool, input, options)
      return isInPieces(output) ? hearPieces(link, call, output) : hear(link, call, output)
    } catch (error) {
      return hear(link, call, Promise.reject(error))
    }
  }

  // the other members of a tool belong to the SDK, and to its class if it has one
  const members = {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value, enumerable: true },
  }
  return Object.create(Object.getPrototypeOf(tool), members)
}

/** What a tool throws is what the model reads as its answer. */
async function refuse(verdict: Verdict): Promise<never> {
  throw verdict.type === 'stop' ? new LoopError(verdict.finding) : new Error(reasonOf(verdict))
}

async function hear(link: Run, call: Call, answer: unknown): Promise<unknown> {
  let output: unknown
  try {
    output = await answer
  } catch (error) {
    tellResult(link, call, String(error), true)
    throw error
  }
  const verdict = tellResult(link, call, output, false)
  return verdict.type === 'deny' ? refuse(verdict) : output
}

/** Passes the pieces of an answer on, the last of which is all of it. */
async function* hearPieces(link: Run, call: Call, pieces: AsyncIterable<unknown>) {
  let last: unknown
  try {
    for await (last of pieces) yield last
  } catch (error) {
    tellResult(link, call, String(error), true)
    throw error
  }
  await hear(link, call, last)
}

const isInPieces = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
