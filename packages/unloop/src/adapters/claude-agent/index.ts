import type { AgentEvent } from '../../event.js'
import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { callWith, type Run, runOf, showCall, type Verdict } from '../../host/run.js'
import { isAlone } from '../shared/alone.js'
import type { Any } from '../shared/any.js'
import { checkGiven } from '../shared/given.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same `query`, guarded: a call that goes round in circles is denied with the reason, advice stands behind the answer of a
 * tool, and a run that does not hear is ended. `outcomeOf(guard)` tells how it ended.
 *
 * @example
 * const guard = createGuard()
 * for await (const message of guardQuery(guard, query)({ prompt, options })) …
 */
export function guardQuery<Query extends (params: Any) => Any>(guard: Guard, query: Query): Query {
  checkGiven('guardQuery', 'query', query, typeof query === 'function')
  const link = runOf(guard, 'claude-agent')
  return ((params: Any) => {
    const hooks = addHooks(params.options?.hooks, guardHooks(guard))
    const run = query({ ...params, options: { ...params.options, hooks } })
    return watch(link, run)
  }) as Query
}

/**
 * The hooks alone, for who has other plans with the messages: `query({ prompt, options: { hooks: guardHooks(guard) } })`. Text is not
 * seen then.
 */
export function guardHooks(guard: Guard): Record<Hook, Matcher[]> {
  const link = runOf(guard, 'claude-agent')
  const hook = (work: (input: Any) => Output | undefined): Matcher[] => [
    {
      hooks: [
        async (input) =>
          link.attempt(() => (isAlone(link, input.session_id) ? work(input) : undefined)) ?? {},
      ],
    },
  ]

  /** What to say of an answer: the run ends, or the model is told. */
  function answer(hookEventName: Hook, input: Any, output: unknown, isError: boolean): Output {
    const verdict = see(link, 'tool-result', input, { output, isError })
    const { stopped } = link
    if (stopped) return toStop(stopped)
    if (verdict.type === 'deny') return { decision: 'block', reason: verdict.reason }
    const additionalContext = link.takeAdvice()
    if (additionalContext === undefined) return {}
    return { hookSpecificOutput: { hookEventName, additionalContext } }
  }

  return {
    UserPromptSubmit: hook(({ prompt, prompt_id: id, source = 'user' }) => {
      // the program itself prompts the model too, when a task in the background is done
      if (source === 'user' || source === 'sdk') link.decide({ type: 'prompt', text: prompt, id })
      return {}
    }),
    PreToolUse: hook((input) => {
      const verdict = see(link, 'tool-call', input, { args: input.tool_input })
      if (!('reason' in verdict)) return
      see(link, 'tool-result', input, { output: verdict.reason, isError: true })
      const hookSpecificOutput = {
        hookEventName: 'PreToolUse' as const,
        permissionDecision: 'deny' as const,
        permissionDecisionReason: verdict.reason,
      }
      return { ...(verdict.type === 'stop' && toStop(verdict.finding)), hookSpecificOutput }
    }),
    PostToolUse: hook((input) => answer('PostToolUse', input, input.tool_response, false)),
    PostToolUseFailure: hook((input) =>
      input.is_interrupt ? {} : answer('PostToolUseFailure', input, input.error, true),
    ),
  }
}

// The fields we use of the SDK's types; `claude-agent.test-d.ts` holds them against it.

type Hook = 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'

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

function addHooks(theirs: Any = {}, ours: Record<string, Matcher[]>) {
  const added = Object.entries(ours).map(([name, list]) => [
    name,
    [...(theirs[name] ?? []), ...list],
  ])
  return { ...theirs, ...Object.fromEntries(added) }
}

function see(link: Run, type: 'tool-call' | 'tool-result', input: Any, more: object): Verdict {
  const { tool_use_id: id, tool_name: name, agent_id: agent } = input
  const event = { type, id, name, ...more, ...(agent && { agent }) } as AgentEvent
  // turns are not told in time; an id whose call was answered is that of another call
  if (event.type !== 'tool-call') return link.decide(event)
  const last = callWith(link, id)
  return last && !last.answer ? last.verdict : showCall(link, event)
}

interface Turn {
  id: unknown
  /** it was read while it was written */
  isPartial: boolean
}

/** The same run; what the model writes is seen on its way, and a chant is interrupted. */
function watch(link: Run, run: Any): Any {
  /** the sub-agents by the calls that began them, which is what messages name them by */
  const agents = new Map<string, string>()
  /** the last message of each agent */
  const turns = new Map<string | undefined, Turn>()
  let isCut = false
  let isOver = false

  function tell(type: 'text' | 'reasoning', text: string | undefined, whose: object): void {
    if (!text || isCut) return
    const verdict = link.decide({ type, text, ...whose })
    if (verdict.type !== 'cut' && verdict.type !== 'stop') return
    isCut = true
    // a run that cannot be interrupted any more has ended
    run.interrupt().catch(() => {})
  }

  function read(said: Any): void {
    const { type, event, message, parent_tool_use_id: parent, session_id } = said
    if (type === 'result') isOver = true
    if (said.subtype === 'task_started') agents.set(said.tool_use_id, said.task_id)
    if (!/^(stream_event|assistant|user)$/.test(type) || !isAlone(link, session_id)) return
    // with a stream of prompts it goes on after a result
    if (isOver) isCut = isOver = false
    const whose = parent ? { agent: agents.get(parent) ?? parent } : {}
    if (type === 'stream_event') {
      if (event.type === 'message_start') begin(event.message.id, true, whose)
      tell('reasoning', event.delta?.thinking, whose)
      tell('text', event.delta?.text, whose)
      return
    }
    // each part of a message comes in one of its own
    const isKnown = type === 'user' || begin(message.id, false, whose).isPartial
    for (const part of Array.isArray(message.content) ? message.content : []) {
      readResult(part, whose)
      if (isKnown) continue
      tell('reasoning', part.thinking, whose)
      tell('text', part.text, whose)
    }
  }

  /** Notes which message an agent writes. */
  function begin(id: unknown, isPartial: boolean, whose: { agent?: string }): Turn {
    const last = turns.get(whose.agent)
    if (last && last.id === id) return last
    const turn = { id, isPartial }
    turns.set(whose.agent, turn)
    // a whole message of a sub-agent comes after the hook of its call
    if (isPartial || !whose.agent) link.decide({ type: 'turn-start', ...whose })
    return turn
  }

  /** The hooks do not hear of a call that the person did not permit. */
  function readResult(part: Any, whose: object): void {
    const { type, tool_use_id: id, content: output, is_error } = part
    if (type !== 'tool_result' || !callWith(link, id)) return
    link.decide({ type: 'tool-result', id, output, isError: is_error === true, ...whose })
  }

  async function take(): Promise<Step> {
    try {
      const step = await run.next()
      link.attempt(() => step.done || read(step.value))
      return step
    } catch (error) {
      // it throws what its last message has told; that it was interrupted is no news
      if (isCut && isOver) return END
      throw error
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
      return run.return(value)
    },
  }
  return new Proxy(run, {
    get(target, property, proxy) {
      if (property === Symbol.asyncIterator) return () => proxy
      const value = own[property] ?? Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

type Step = IteratorResult<unknown>

const END: Step = { done: true, value: undefined }
