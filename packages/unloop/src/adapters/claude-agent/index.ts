import type { AgentEvent } from '../../event.js'
import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { callWith, type Run, runOf, showCall, type Verdict } from '../../host/run.js'
import { isAlone } from '../shared/alone.js'
import type { Any } from '../shared/any.js'
import { checkGiven, checkGuard, isGuarded, noteGuarded } from '../shared/given.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same `query`, guarded: a call that repeats in a loop is denied with the reason, advice follows the answer of a
 * tool, and a run that does not listen is ended. With `createGuards()`, each session has a guard of its own.
 *
 * @example
 * const guards = createGuards()
 * for await (const message of guardQuery(guards, query)({ prompt, options })) …
 */
export function guardQuery<Query extends (params: Any) => Any>(
  guard: Guard | Guards,
  query: Query,
): Query {
  checkGiven('guardQuery of unloop/claude-agent', 'query', query, typeof query === 'function')
  checkGuard(guard, ADAPTER)
  if (isGuarded(query, guard)) return query
  const guarded = (params: Any) => {
    const hooks = addHooks(params.options?.hooks, guardHooks(guard), guard)
    return watch(guard, query({ ...params, options: { ...params.options, hooks } }))
  }
  return noteGuarded(guard, guarded, query) as Any
}

const ADAPTER = 'claude-agent'

/**
 * The hooks alone, if you read the messages yourself: `query({ prompt, options: { hooks: guardHooks(guards) } })`. Text is not
 * seen then.
 */
export function guardHooks(guard: Guard | Guards): Record<Hook, Matcher[]> {
  checkGuard(guard, ADAPTER)
  const hook = (work: (input: Any, run: Run) => Output | undefined): Matcher[] => [
    noteGuarded(guard, {
      hooks: [
        async (input) => {
          const { session_id, hook_event_name: name } = input ?? {}
          // what another process has learned of this session meanwhile
          if (isGuards(guard) && name === 'UserPromptSubmit') await guard.open(session_id)
          const run = runOfSession(guard, session_id)
          const output = run?.attempt(() => work(input, run))
          if (isGuards(guard) && (name === 'Stop' || run?.stopped)) await guard.save(session_id)
          return output ?? {}
        },
      ],
    }),
  ]

  /** What to say of an answer: the run ends, or the model is told. */
  function answer(
    hookEventName: Hook,
    input: Any,
    run: Run,
    output: unknown,
    isError: boolean,
  ): Output {
    const verdict = see(run, 'tool-result', input, { output, isError })
    const { stopped } = run
    if (stopped) return toStop(stopped)
    if (verdict.type === 'deny') return { decision: 'block', reason: verdict.reason }
    const additionalContext = speaker(run, input.agent_id).takeAdvice()
    if (additionalContext === undefined) return {}
    return { hookSpecificOutput: { hookEventName, additionalContext } }
  }

  return {
    UserPromptSubmit: hook(({ prompt, prompt_id: id, source = 'user' }, run) => {
      // the program itself prompts the model too, when a task in the background is done
      if (source === 'user' || source === 'sdk') run.decide({ type: 'prompt', text: prompt, id })
      return {}
    }),
    PreToolUse: hook((input, run) => {
      const verdict = see(run, 'tool-call', input, { args: input.tool_input })
      if (!('reason' in verdict)) return
      see(run, 'tool-result', input, { output: verdict.reason, isError: true })
      const hookSpecificOutput = {
        hookEventName: 'PreToolUse' as const,
        permissionDecision: 'deny' as const,
        permissionDecisionReason: verdict.reason,
      }
      return { ...(verdict.type === 'stop' && toStop(verdict.finding)), hookSpecificOutput }
    }),
    PostToolUse: hook((input, run) =>
      answer('PostToolUse', input, run, input.tool_response, false),
    ),
    PostToolUseFailure: hook((input, run) =>
      input.is_interrupt ? {} : answer('PostToolUseFailure', input, run, input.error, true),
    ),
    // the session may go on in another process
    Stop: isGuards(guard) ? hook(() => ({})) : [],
  }
}

/** The run of a session; nothing if it shares its guard with another. */
function runOfSession(guard: Guard | Guards, session: string): Run | undefined {
  if (isGuards(guard)) return runOf(guard.of(session), ADAPTER)
  const run = runOf(guard, ADAPTER)
  return run.attempt(() => isAlone(run, session)) ? run : undefined
}

/** The run of a sub-agent, or of the agent itself. */
const speaker = (run: Run, agent: string | undefined): Run => (agent ? run.within(agent) : run)

// The fields we use of the SDK's types; `claude-agent.test-d.ts` holds them against it.

type Hook = 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'Stop'

interface Matcher {
  hooks: ((input: Any) => Promise<Output>)[]
}

interface Output {
  continue?: boolean
  stopReason?: string
  decision?: 'block'
  reason?: string
  hookSpecificOutput?: Any
}

const toStop = ({ detail, advice }: Finding): Output => ({
  continue: false,
  stopReason: `Stopped: ${detail}. ${advice}`,
})

/** Their hooks and ours, which they may have already. */
function addHooks(theirs: Any = {}, ours: Record<string, Matcher[]>, guard: Guard | Guards) {
  const added = Object.entries(ours).flatMap(([name, list]) => {
    const own: Matcher[] = theirs[name] ?? []
    const isKnown = list.length === 0 || own.some((matcher) => isGuarded(matcher, guard))
    return isKnown ? [] : [[name, [...own, ...list]]]
  })
  return { ...theirs, ...Object.fromEntries(added) }
}

function see(run: Run, type: 'tool-call' | 'tool-result', input: Any, more: object): Verdict {
  const { tool_use_id: id, tool_name: name, agent_id: agent } = input
  const event = { type, id, name, ...more } as AgentEvent
  const own = speaker(run, agent)
  // turns are not told in time; an id whose call was answered is that of another call
  if (event.type !== 'tool-call') return own.decide(event)
  const last = callWith(own, id)
  return last && !last.answer ? last.verdict : showCall(own, event)
}

interface Turn {
  id: unknown
  /** it was read while it was written */
  isPartial: boolean
}

/** The same messages; what the model writes is seen on its way, and a chant is interrupted. */
function watch(guard: Guard | Guards, messages: Any): Any {
  /** the sub-agents by the calls that started them, which is what messages name them by */
  const agents = new Map<string, string>()
  /** the last message of each agent */
  const turns = new Map<string | undefined, Turn>()
  let isCut = false
  let isOver = false

  function tell(run: Run, type: 'text' | 'reasoning', text: string | undefined): void {
    if (!text || isCut) return
    const verdict = run.decide({ type, text })
    if (verdict.type !== 'cut' && verdict.type !== 'stop') return
    isCut = true
    // a run that cannot be interrupted any more has ended
    messages.interrupt().catch(() => {})
  }

  function read(said: Any): void {
    const { type, event, message, parent_tool_use_id: parent, session_id } = said
    if (type === 'result') {
      isOver = true
      if (isGuards(guard)) guard.save(session_id).catch((error) => guard.addFault(ADAPTER, error))
    }
    if (said.subtype === 'task_started') agents.set(said.tool_use_id, said.task_id)
    if (!/^(stream_event|assistant|user)$/.test(type)) return
    const run = runOfSession(guard, session_id)
    run?.attempt(() => {
      // with a stream of prompts it goes on after a result
      if (isOver) isCut = isOver = false
      const agent: string | undefined = parent ? (agents.get(parent) ?? parent) : undefined
      const own = speaker(run, agent)
      if (type === 'stream_event') {
        if (event.type === 'message_start') begin(own, event.message.id, true, agent)
        tell(own, 'reasoning', event.delta?.thinking)
        tell(own, 'text', event.delta?.text)
        return
      }
      // each part of a message comes in one of its own
      const isKnown = type === 'user' || begin(own, message.id, false, agent).isPartial
      for (const part of Array.isArray(message.content) ? message.content : []) {
        readResult(own, part)
        if (isKnown) continue
        tell(own, 'reasoning', part.thinking)
        tell(own, 'text', part.text)
      }
    })
  }

  /** Notes which message an agent writes. */
  function begin(run: Run, id: unknown, isPartial: boolean, agent: string | undefined): Turn {
    const last = turns.get(agent)
    if (last && last.id === id) return last
    const turn = { id, isPartial }
    turns.set(agent, turn)
    // a whole message of a sub-agent comes after the hook of its call
    if (isPartial || agent === undefined) run.decide({ type: 'turn-start' })
    return turn
  }

  /** The hooks do not hear of a call that the person did not permit. */
  function readResult(run: Run, part: Any): void {
    const { type, tool_use_id: id, content: output, is_error } = part
    if (type !== 'tool_result' || !callWith(run, id)) return
    run.decide({ type: 'tool-result', id, output, isError: is_error === true })
  }

  async function take(): Promise<Step> {
    try {
      const step = await messages.next()
      if (!step.done) report(() => read(step.value))
      return step
    } catch (error) {
      // it throws what its last message has told; that it was interrupted is no news
      if (isCut && isOver) return END
      throw error
    }
  }

  /** A message that cannot be read is passed on as it is. */
  function report(work: () => void): void {
    try {
      work()
    } catch (error) {
      guard.addFault(ADAPTER, error)
    }
  }

  // calls do not wait for who reads, so what was said before them may not either; the SDK keeps what nobody reads, too
  const steps = new ReadableStream<Promise<Step>>(
    {
      async pull(controller) {
        const step = take()
        const isLast = await step.then(
          ({ done }) => done,
          () => true,
        )
        controller.enqueue(step)
        if (isLast) controller.close()
      },
    },
    { highWaterMark: Number.POSITIVE_INFINITY },
  ).getReader()
  const own: Any = {
    next: async () => (await steps.read()).value ?? END,
    return(value: unknown) {
      steps.cancel()
      return messages.return(value)
    },
  }
  return new Proxy(messages, {
    get(target, property, proxy) {
      if (property === Symbol.asyncIterator) return () => proxy
      const value = own[property] ?? Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

type Step = IteratorResult<unknown>

const END: Step = { done: true, value: undefined }
