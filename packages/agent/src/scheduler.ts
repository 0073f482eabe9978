import { prettifyError } from 'zod'
import type { ClientEvent } from './client-event.js'
import type { CallOutcome, CallPart, ResultPart } from './message.js'
import { INTERRUPTED, NOBODY_ASKED, NOT_RUN, SAID_NO } from './outcome.js'
import { createQueue } from './queue.js'
import type { Tool } from './tool.js'
import { untilAborted } from './until-aborted.js'

/** What the person is asked before a tool runs. */
export interface Approval {
  call: CallPart
  question: string
  /** what "always" would allow, in words; whoever keeps those that were granted asks unless all of these are */
  scopes: readonly string[]
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
  /** ids of the calls whose tool was entered */
  readonly started: ReadonlySet<string>
}

/** Runs the calls of one turn side by side. */
export function runCalls(calls: readonly CallPart[], options: RunOptions): Round {
  const queue = createQueue<RunEvent>()
  const started = new Set<string>()
  // one question at a time: a person cannot answer two at once
  let asked: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const answer = asked.then(ask)
    asked = answer.catch(() => {})
    return answer
  }
  const running = calls.map(async (call) => {
    const result = await runCall(call, options, {
      inTurn,
      start: () => started.add(call.id),
      report: (event) => queue.push({ type: 'report', event }),
    })
    queue.push(result)
    return result
  })
  const results = Promise.all(running)
  results.then(queue.close, queue.close)
  return { [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](), results, started }
}

/** What a call needs of those that run beside it. */
interface Course {
  inTurn<T>(ask: () => Promise<T>): Promise<T>
  start(): void
  report(event: ClientEvent & { agent: string }): void
}

type Result = Pick<ResultPart, 'output' | 'outcome'>

async function runCall(
  call: CallPart,
  { tools, signal, approve, refused }: RunOptions,
  { inTurn, start, report }: Course,
): Promise<ResultPart> {
  // what an error means at this point
  let failure: CallOutcome = 'failed'
  let isStarted = false
  const { output, outcome } = await run().catch((error): Result => {
    if (!signal.aborted || error !== signal.reason) return not(failure, messageOf(error))
    return isStarted ? not('stopped', INTERRUPTED) : not('skipped', NOT_RUN)
  })
  const isError = outcome !== 'done'
  return { type: 'tool-result', id: call.id, name: call.name, output, isError, outcome }

  async function run(): Promise<Result> {
    const reason = refused.get(call.id)
    if (reason !== undefined) return not('refused', reason)
    const tool = tools.find(({ name }) => name === call.name)
    if (!tool) {
      const names = tools.map(({ name }) => name).join(', ')
      return not('failed', `There is no tool ${call.name}. The tools are: ${names}.`)
    }
    if (call.invalid !== undefined) {
      return not('failed', `The arguments cannot be read: ${call.invalid}`)
    }
    const args = tool.parameters.safeParse(call.args ?? {})
    if (!args.success) {
      const problem = prettifyError(args.error)
      return not('failed', `The arguments of ${call.name} are wrong:\n${problem}`)
    }
    const question = tool.confirm?.(args.data)
    if (question !== undefined) {
      if (!approve) return not('declined', NOBODY_ASKED)
      const scopes = tool.scopes?.(args.data) ?? [tool.name]
      failure = 'declined'
      const agreed = await inTurn(async () => {
        signal.throwIfAborted()
        return untilAborted(signal, approve({ call, question, scopes }, signal))
      })
      if (!agreed) return not('declined', SAID_NO)
      failure = 'failed'
    }
    signal.throwIfAborted()
    isStarted = true
    start()
    return { output: await execute(tool, args.data, signal, report), outcome: 'done' }
  }
}

const not = (outcome: CallOutcome, output: string): Result => ({ output, outcome })

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
    const answer = Promise.resolve(tool.execute(args, { signal: both, report }))
    // a tool that does not listen to its signal must not hold the agent
    return await (tool.endsOnAbort ? answer : untilAborted(both, answer))
  } finally {
    clearTimeout(timer)
  }
}
