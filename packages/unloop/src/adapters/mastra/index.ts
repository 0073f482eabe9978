import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { runOf, type Verdict } from '../../host/run.js'
import { isAlone } from '../shared/alone.js'
import type { Any } from '../shared/any.js'
import { textOf } from '../shared/words.js'

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

/** Goes into the options of a run. */
export type GuardedRun = { [Name in keyof RunOptions]-?: Any }

/**
 * Options of `agent.generate` or `agent.stream` that guard one run: tools that can be refused, advice before the next step, an end to
 * a chant and to the run, which then has a `tripwire` with the reason. `outcomeOf(guard)` tells how it ended.
 *
 * @example
 * const guard = createGuard()
 * const result = await agent.generate(prompt, guardRun(guard, { maxSteps: 20 }))
 */
export function guardRun<Options extends RunOptions = RunOptions>(
  guard: Guard,
  options: Options = {} as Options,
): Omit<Options, keyof RunOptions> & GuardedRun {
  const { hooks, inputProcessors = [], outputProcessors = [], onIterationComplete } = options
  const link = runOf(guard, 'mastra')
  let run: unknown = {}
  const notes: string[] = []
  const cut = new AbortController()

  /** Does our work unless it fails, or two runs share the guard. */
  function attempt<Result>(context: unknown, work: () => Result): Result | undefined {
    run = (context as Context)?.requestContext ?? run
    return link.attempt(() => (isAlone(link, run) ? work() : undefined))
  }

  function tellCall({ toolName: name, input: args, context }: ToolEvent): Verdict {
    return link.decide({ type: 'tool-call', name, args, ...idOf(context) })
  }

  function tellResult({ toolName: name, output, error, context }: ToolEvent): Verdict {
    const isError = error !== undefined || (output as Any)?.error === true
    const answer = error === undefined ? output : ((error as Any)?.message ?? `${error}`)
    return link.decide({ type: 'tool-result', name, output: answer, isError, ...idOf(context) })
  }

  const input = {
    id: 'unloop',
    processInput(args: Any) {
      attempt(args, () => {
        const last = args.messages.at(-1)
        const { content, parts } = last?.content ?? {}
        if (last?.role === 'user') link.decide({ type: 'prompt', text: content || textOf(parts) })
      })
      return args.messages
    },
    processInputStep(args: Any) {
      const { stopped, advice = [] } =
        attempt(args, () => {
          if (link.stopped) return { stopped: link.stopped }
          link.decide({ type: 'turn-start' })
          return { advice: [...notes.splice(0), ...[link.takeAdvice() ?? []].flat()] }
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
      const finding = attempt(args, () => read(args.part))
      if (finding) end(args, finding)
      return args.part
    },
  }

  /** Reads a part of the stream; gives the finding that ends it. */
  function read({ type, payload }: Any): Finding | undefined {
    if (type === 'text-delta' || type === 'reasoning-delta') {
      const verdict = link.decide({
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
    link.decide({ type: 'usage', inputTokens, outputTokens })
    link.decide({ type: 'turn-end' })
    return link.stopped
  }

  return {
    ...options,
    abortSignal: AbortSignal.any([cut.signal, options.abortSignal ?? []].flat()),
    hooks: {
      async beforeToolCall(event: ToolEvent) {
        const verdict = attempt(event.context, () => {
          const judged = tellCall(event)
          if ('reason' in judged) tellResult({ ...event, error: judged.reason })
          return judged
        })
        if (verdict && 'reason' in verdict) return { proceed: false, output: verdict.reason }
        return hooks?.beforeToolCall?.(event)
      },
      async afterToolCall(event: ToolEvent) {
        attempt(event.context, () => {
          const verdict = tellResult(event)
          // the answer cannot be changed here any more; the model reads what to make of it
          if (verdict.type === 'deny') notes.push(verdict.reason)
        })
        await hooks?.afterToolCall?.(event)
      },
    },
    inputProcessors: [...inputProcessors, input],
    outputProcessors: [...outputProcessors, output],
    onIterationComplete: async (context: Any) => {
      const theirs: Any = await onIterationComplete?.(context)
      const isOver = attempt(undefined, () => link.stopped !== undefined)
      return isOver ? { ...theirs, continue: false } : theirs
    },
  }
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
