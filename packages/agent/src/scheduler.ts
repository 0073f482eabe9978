import { prettifyError } from 'zod'
import type { ClientEvent } from './client-event.js'
import { NOT_RUN } from './history.js'
import type { CallPart, ResultPart } from './message.js'
import { createQueue } from './queue.js'
import type { Tool } from './tool.js'
import { untilAborted } from './until-aborted.js'

/** What the person is asked before a tool runs. */
export interface Approval {
  call: CallPart
  question: string
}

/** Asks the person; `false` refuses the call. */
export type Approve = (approval: Approval, signal: AbortSignal) => Promise<boolean>

/** What happens while calls run. */
export type RunEvent = ResultPart | { type: 'report'; event: ClientEvent & { agent: string } }

export interface RunOptions {
  tools: readonly Tool[]
  signal: AbortSignal
  approve?: Approve | undefined
  /** reasons why calls must not run, by id */
  refused: ReadonlyMap<string, string>
}

// long enough for a test suite, short enough that a hanging tool is noticed the same minute
const DEFAULT_TIMEOUT_MS = 60_000
// a timer of Node takes no more, some 25 days, and fires at once if it is given more
const MAX_TIMER_MS = 2 ** 31 - 1

/** Calls that are running: what happens, as it does, and in the end the results in the order of the calls. */
export interface Round extends AsyncIterable<RunEvent> {
  readonly results: Promise<ResultPart[]>
}

/** Runs the calls of one turn side by side. */
export function runCalls(calls: readonly CallPart[], options: RunOptions): Round {
  const queue = createQueue<RunEvent>()
  // one question at a time: a person cannot answer two at once
  let asked: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const answer = asked.then(ask)
    asked = answer.catch(() => {})
    return answer
  }
  const running = calls.map(async (call) => {
    const result = await runCall(call, options, inTurn, (event) =>
      queue.push({ type: 'report', event }),
    )
    queue.push(result)
    return result
  })
  const results = Promise.all(running)
  results.then(queue.close, queue.close)
  return { [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](), results }
}

type Outcome = { output: string; isError?: boolean }

async function runCall(
  call: CallPart,
  { tools, signal, approve, refused }: RunOptions,
  inTurn: <T>(ask: () => Promise<T>) => Promise<T>,
  report: (event: ClientEvent & { agent: string }) => void,
): Promise<ResultPart> {
  let isStarted = false
  const { output, isError = false } = await outcome().catch((error) => {
    if (!signal.aborted || error !== signal.reason) return failed(messageOf(error))
    return failed(isStarted ? INTERRUPTED : NOT_RUN)
  })
  return { type: 'tool-result', id: call.id, name: call.name, output, isError }

  async function outcome(): Promise<Outcome> {
    const reason = refused.get(call.id)
    if (reason !== undefined) return failed(reason)
    const tool = tools.find(({ name }) => name === call.name)
    if (!tool) {
      return failed(
        `There is no tool ${call.name}. The tools are: ${tools.map(({ name }) => name).join(', ')}.`,
      )
    }
    if (call.invalid !== undefined) return failed(`The arguments cannot be read: ${call.invalid}`)
    const args = tool.parameters.safeParse(call.args ?? {})
    if (!args.success) {
      return failed(`The arguments of ${call.name} are wrong:\n${prettifyError(args.error)}`)
    }
    const question = tool.confirm?.(args.data)
    if (question !== undefined) {
      if (!approve) return failed('Not run: this needs permission, and nobody is there to ask.')
      const agreed = await inTurn(async () => {
        signal.throwIfAborted()
        return untilAborted(signal, approve({ call, question }, signal))
      })
      if (!agreed) return failed('Not run: the person said no to this call.')
    }
    signal.throwIfAborted()
    isStarted = true
    return { output: await execute(tool, args.data, signal, report) }
  }
}

const INTERRUPTED = 'This call was started and interrupted; what it did is not known.'

const failed = (output: string): Outcome => ({ output, isError: true })

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function execute(
  tool: Tool,
  args: unknown,
  signal: AbortSignal,
  report: (event: ClientEvent & { agent: string }) => void,
): Promise<string> {
  const limitMs = tool.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const timeout = new AbortController()
  const giveUp = () =>
    timeout.abort(new Error(`${tool.name} took longer than ${limitMs / 1000} s and was stopped.`))
  const timer = limitMs > MAX_TIMER_MS ? undefined : setTimeout(giveUp, limitMs)
  try {
    const both = AbortSignal.any([signal, timeout.signal])
    // a tool that does not listen to its signal must not hold the agent
    return await untilAborted(both, Promise.resolve(tool.execute(args, { signal: both, report })))
  } finally {
    clearTimeout(timer)
  }
}
