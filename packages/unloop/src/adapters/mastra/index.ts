import type { AgentEvent } from '../../event.js'
import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { nextName, placeOf } from '../../host/lineage.js'
import { type CallEvent, type ResultEvent, type Run, runOf, type Verdict } from '../../host/run.js'
import { type Account, openAccount } from '../shared/account.js'
import type { Any } from '../shared/any.js'
import { checkGuard, isGuarded, noteGuarded } from '../shared/given.js'
import { threadOf, toEvents, wordsOf } from './messages.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/** What of your own options goes on to hold beside ours; callbacks may as well take the SDK's own types. */
export interface RunOptions {
  hooks?: {
    beforeToolCall?(call: ToolEvent): unknown
    afterToolCall?(call: ToolEvent): unknown
  }
  inputProcessors?: readonly object[]
  outputProcessors?: readonly object[]
  onIterationComplete?(iteration: Iteration): unknown
  abortSignal?: AbortSignal
}

/** What stays as it is; the thread of a conversation is read from it. */
interface Passed {
  maxSteps?: number | undefined
  memory?: unknown
  requestContext?: unknown
  requireToolApproval?: unknown
}

/** Goes into the options of a run. */
export type GuardedRun = { [Name in keyof RunOptions]-?: Any }

/**
 * Options of `agent.generate` or `agent.stream` that guard one run: tools that can be refused, advice before the next step, an end to
 * a chant and to the run, which then has a `tripwire` with the reason. With `createGuards()`, each thread has its own guard.
 *
 * @example
 * const guards = createGuards()
 * const result = await agent.generate(prompt, guardRun(guards, { maxSteps: 20, memory }))
 */
export function guardRun<Options extends RunOptions & Passed = RunOptions>(
  guard: Guard | Guards,
  options: Options = {} as Options,
): Omit<Options, keyof RunOptions> & GuardedRun {
  checkGuard(guard, 'mastra')
  const {
    hooks,
    inputProcessors = [],
    outputProcessors = [],
    onIterationComplete,
    memory,
    requireToolApproval,
  } = options as RunOptions & Passed
  if (inputProcessors.some((processor) => isGuarded(processor, guard))) return options as Any
  /** runs by their request contexts */
  const courses = new WeakMap<object, Course>()
  let last: Course | undefined
  const cut = new AbortController()

  const courseOf = (context: unknown): Course | undefined =>
    courses.get(Object((context as Context)?.requestContext)) ?? last

  /** Does our work unless it fails, or two runs share the guard. */
  function attempt<Result>(
    context: unknown,
    work: (run: Run, course: Course) => Result,
  ): Result | undefined {
    const course = courseOf(context) ?? aloneWith(guard)
    if (!course) return
    const { run, isOwn } = course.account
    if (!isOwn || run.outcome === 'unguarded') return
    return run.attempt(() => work(run, course))
  }

  async function open({ requestContext, messages }: Any): Promise<void> {
    const history = toEvents(messages)
    const thread = threadOf(requestContext, memory)
    // what tools answer is not known when the model has answered, so it is no part of the name
    const place = placeOf(history.map(withoutOutput))
    const account = await openAccount(guard, 'mastra', history, thread, place)
    account.enter()
    last = { account, name: place.whole, asked: [], calls: [], notes: [] }
    if (requestContext) courses.set(requestContext, last)
  }

  const input = {
    id: 'unloop',
    async processInput(args: Any) {
      await open(args)
      attempt(args, (run) => {
        const { role, content } = args.messages.at(-1) ?? {}
        if (role === 'user') run.decide({ type: 'prompt', text: wordsOf(content) })
      })
      return args.messages
    },
    processInputStep(args: Any) {
      const { stopped, advice = [] } =
        attempt(args, (run, course) => {
          if (!requireToolApproval && isUnheard(course, args.tools)) return run.giveUp(TOO_OLD)
          if (run.stopped) return { stopped: run.stopped }
          run.decide({ type: 'turn-start' })
          return { advice: [...course.notes.splice(0), ...[run.takeAdvice() ?? []].flat()] }
        }) ?? {}
      if (stopped) end(args, stopped)
      if (advice.length === 0) return
      // for this step alone: a message would be the last word of the person from then on, and be remembered as theirs
      const told = { role: 'system', content: advice.join('\n') }
      return { systemMessages: [...args.systemMessages, told] }
    },
  }

  const output = {
    id: 'unloop',
    async processOutputStream(args: Any) {
      const finding = attempt(args, (run) => read(run, args.part))
      if (args.part.type === 'step-finish') await leave(courseOf(args))
      if (finding) end(args, finding)
      return args.part
    },
    /** All calls of a step before the first of them runs. */
    processOutputStep(args: Any) {
      attempt(args, (run, course) => {
        const calls = (args.toolCalls ?? []).filter(({ toolCallId }: Any) => toolCallId)
        course.asked = args.toolCalls?.map(({ toolName }: Any) => toolName) ?? []
        run.decideRound(
          calls.map(({ toolCallId: id, toolName: name, args }: Any) => ({
            type: 'tool-call',
            id,
            name,
            args,
          })),
        )
      })
      return args.messages
    },
  }

  /** Reads a part of the stream; gives the finding that ends it. */
  function read(run: Run, { type, payload }: Any): Finding | undefined {
    if (type === 'text-delta' || type === 'reasoning-delta') {
      const verdict = run.decide({
        type: type === 'text-delta' ? 'text' : 'reasoning',
        text: payload.text,
      })
      if (verdict.type !== 'cut' && verdict.type !== 'stop') return
      // a stream that was ended goes on behind it, and is paid for; the tripwire has to come first
      setTimeout(() => cut.abort(), 0)
      return verdict.finding
    }
    if (type !== 'step-finish') return
    const { inputTokens = 0, outputTokens = 0 } = payload.output?.usage ?? {}
    run.decide({ type: 'usage', inputTokens, outputTokens })
    run.decide({ type: 'turn-end' })
    return run.stopped
  }

  return {
    ...options,
    abortSignal: AbortSignal.any([cut.signal, options.abortSignal ?? []].flat()),
    hooks: {
      async beforeToolCall(event: ToolEvent) {
        const verdict = attempt(event.context, (run, { calls }) => {
          const call = toCall(event)
          calls.push(call)
          const judged = run.decide(call)
          if ('reason' in judged) run.decide(toResult({ ...event, error: judged.reason }))
          return judged
        })
        if (verdict && 'reason' in verdict) return { proceed: false, output: verdict.reason }
        return hooks?.beforeToolCall?.(event)
      },
      async afterToolCall(event: ToolEvent) {
        attempt(event.context, (run, { notes }) => {
          const verdict: Verdict = run.decide(toResult(event))
          // the answer cannot be changed here any more; the model reads what to make of it
          if (verdict.type === 'deny') notes.push(verdict.reason)
        })
        await hooks?.afterToolCall?.(event)
      },
    },
    inputProcessors: [...inputProcessors, noteGuarded(guard, input)],
    outputProcessors: [...outputProcessors, output],
    onIterationComplete: async (context: Any) => {
      const theirs: Any = await onIterationComplete?.(context)
      const isOver = attempt(undefined, (run) => run.stopped !== undefined)
      return isOver ? { ...theirs, continue: false } : theirs
    },
  }
}

/** One run of an agent. */
interface Course {
  account: Account
  /** the name of the conversation as the run found it */
  name: string
  /** the names of the tools that the last answer of the model calls */
  asked: string[]
  /** the calls that hooks told of, in their order */
  calls: CallEvent[]
  /** what the model is to make of answers that it should not have been given */
  notes: string[]
}

/** What is called outside of a run is that of the only guard there is. */
function aloneWith(guard: Guard | Guards): Course | undefined {
  if (isGuards(guard)) return
  const known = alone.get(guard)
  if (known) return known
  const account: Account = {
    run: runOf(guard, 'mastra'),
    isOwn: true,
    enter: () => true,
    leave: async () => {},
  }
  const course = { account, name: '', asked: [], calls: [], notes: [] }
  alone.set(guard, course)
  return course
}

const alone = new WeakMap<Guard, Course>()

const TOO_OLD = 'tools are run, but no hook was called: @mastra/core 1.42 or newer is needed'

/** Whether tools were run and no hook has told of any; one that waits for the person may not have run. */
const isUnheard = ({ asked, calls }: Course, tools: Any): boolean =>
  calls.length === 0 && asked.some((name) => tools?.[name]?.execute && !tools[name].requireApproval)

const withoutOutput = (event: AgentEvent): AgentEvent =>
  event.type === 'tool-result' ? { ...event, output: undefined } : event

/** The model has answered: the history will have each call with its answer. */
async function leave(course: Course | undefined): Promise<void> {
  const { account, calls, name } = course ?? {}
  const pairs = calls?.flatMap((call) => [call, { ...call, type: 'tool-result' as const }]) ?? []
  await account?.leave(pairs.reduce(nextName, name ?? ''))
}

const toCall = ({ toolName: name, input: args, context }: ToolEvent): CallEvent => ({
  type: 'tool-call',
  name,
  args,
  ...idOf(context),
})

function toResult({ toolName: name, output, error, context }: ToolEvent): ResultEvent {
  const isError = error !== undefined || (output as Any)?.error === true
  const answer = error === undefined ? output : ((error as Any)?.message ?? `${error}`)
  return { type: 'tool-result', name, output: answer, isError, ...idOf(context) }
}

// The fields we read of the SDK's types; `e2e/types/mastra.ts` holds them against it.

type Context = { requestContext?: unknown; toolCallId?: string } | undefined

/** A call of a tool, and its answer once there is one. */
export interface ToolEvent {
  toolName: string
  input: unknown
  context?: unknown
  output?: unknown
  error?: unknown
}

/** A step of the agent that is over. */
export interface Iteration {
  iteration: number
  text: string
  toolCalls: readonly { id: string; name: string; args: Record<string, unknown> }[]
  isFinal: boolean
  finishReason: string
}

/** A call outside of a run has no id, and some servers give none. */
function idOf(context: unknown) {
  const id = (context as Context)?.toolCallId
  return id ? { id } : {}
}

/** Ends the run in Mastra's way: this throws. */
function end({ abort }: Any, finding: Finding): void {
  abort(`Stopped: ${finding.detail}.`, { metadata: finding })
}
