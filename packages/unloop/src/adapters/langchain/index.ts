import type { AgentEvent } from '../../event.js'
import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { type Run, runOf, type Verdict } from '../../host/run.js'
import { callKey } from '../../reading/call-key.js'
import { isAlone as isAloneIn } from '../shared/alone.js'
import type { Any } from '../shared/any.js'
import { checkGiven, guardOr } from '../shared/given.js'
import { promptOf } from '../shared/words.js'
import { type Stream, toWords, watchModel } from './model.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

export interface MiddlewareOptions {
  /** `interrupt` of `@langchain/langgraph`: with a checkpointer and an attended guard, the person is asked there */
  interrupt?: (question: Question) => Any
}

/** What the person is asked; `new Command({ resume })` takes one of the choices, or `{ hint: 'words for the model' }`. */
export interface Question {
  reason: string
  /** `allow`, that the tool may repeat, is among them where the loop is one of a tool */
  choices: readonly Choice[]
}

export type Choice = 'go-on' | 'allow' | 'disable' | 'stop'

/**
 * The argument of `createMiddleware` that guards one run: tools that can be refused, advice before the model is asked again,
 * and an end to the run. `outcomeOf(guard)` tells how it ended.
 *
 * @example
 * const guard = createGuard()
 * const agent = createAgent({ model, tools, middleware: [createMiddleware(guardRun(guard))] })
 */
export function guardRun(guard: Guard, { interrupt }: MiddlewareOptions = {}) {
  const link = runOf(guard, 'langchain')
  const shared = sharedOf(guard)

  const isAlone = ({ messages }: State) => {
    // who begins with the same message may be asked something else
    shared.id = (messages.findLast(({ type }) => type === 'human') ?? messages[0])?.id ?? shared
    return isAloneIn(link, shared.id)
  }

  /** A hook that does nothing where two runs share the guard, or where we fail. */
  const hook =
    (work: (messages: readonly Any[]) => Any): Any =>
    (state: State) =>
      link.attempt(() => (isAlone(state) ? work(state.messages) : undefined))

  /** Tells of the messages of this run that were not told yet. */
  function hear(messages: readonly Any[]): void {
    const answers = messages.filter(({ type }) => type === 'ai')
    const { id } = shared.last ?? {}
    const at = answers.findLastIndex((one) => one === shared.last || (id && one.id === id))
    // what was there before the model was asked is the past of another run; what was cut off is not told again
    const fresh = answers.slice(at < 0 && shared.last ? -1 : at + 1)
    if (shared.isOpen) for (const message of fresh) seeMessage(link, message, shared.isHeard)
    shared.last = answers.at(-1)
  }

  const beforeModel = hook((messages) => {
    hear(messages)
    const text = promptOf(messages, roleOf)
    if (text !== undefined) link.decide({ type: 'prompt', text })
    const { stopped } = link
    shared.isOpen = !stopped
    if (stopped) {
      const content = `Stopped: ${stopped.detail}.`
      return { jumpTo: 'end', messages: [{ role: 'assistant', content }] }
    }
    shared.isHeard = false
    link.decide({ type: 'turn-start' })
    const content = link.takeAdvice()
    return content === undefined ? undefined : { messages: [{ role: 'user', content }] }
  })

  // each hook is a step of the graph, and those are limited: what can be told later, or where a tool is called, has none
  return {
    name: 'unloop',

    beforeModel: {
      canJumpTo: ['end'] as 'end'[],
      hook: ((state: State) => {
        const asked = link.attempt(() => (isAlone(state) ? link.stopped : undefined))
        // it throws where the graph has to wait for the person, and gives the choice when it goes on
        const choice = asked?.action === 'ask' ? interrupt?.(questionOf(asked)) : undefined
        const hint = link.attempt(() => choose(guard, choice, asked?.tool))
        const update = beforeModel(state)
        if (hint === undefined) return update
        return { messages: [{ role: 'user', content: hint }, ...(update?.messages ?? [])] }
      }) as Any,
    },

    afterAgent: hook((messages) => {
      hear(messages)
      shared.isOpen = false
    }),

    wrapToolCall: (async (request: Request, handler: (request: Request) => Any) => {
      if (!link.attempt(() => isAlone(request.state))) return handler(request)
      const { toolCall, state } = request
      link.attempt(() => hear(state.messages))
      /** An answer in the tool's place, which other middleware neither changes nor keeps; its class is that of another answer. */
      const answer = async (content: string, ...made: Any[]) => {
        const { id: tool_call_id, name } = toolCall
        const like =
          [...state.messages, ...made].findLast(isAnswer) ??
          // where there is none yet, a tool in the place of the tool makes one
          (await handler({ ...request, tool: { name, invoke: async () => content } }))
        if (!isAnswer(like)) return like
        return new like.constructor({ content, tool_call_id, name, status: 'error' })
      }
      const verdict = tellCall(link, toolCall)
      if ('reason' in verdict) {
        tellResult(link, toolCall, verdict.reason, true)
        return answer(verdict.reason)
      }
      try {
        const message = await handler(request)
        const output = message?.content ?? message?.update
        const judged = tellResult(link, toolCall, output, message?.status === 'error')
        return judged.type === 'deny' ? answer(judged.reason, message) : message
      } catch (error) {
        const { is_bubble_up, '~brand': brand } = (error ?? {}) as Any
        // a graph that waits for the person throws too; the tool will be run again
        if (is_bubble_up) throw error
        tellResult(link, toolCall, String(error), true)
        // what has a brand is handled outside of the middleware as it is without it
        if (brand || request.runtime?.signal?.aborted) throw error
        // all other errors would end the run; without a middleware the model reads this
        return answer(`${error}\n Please fix your mistakes.`)
      }
    }) as Any,
  }
}

/**
 * The same chat model for one run, whose stream ends as if the model had stopped where it chants.
 *
 * @example createAgent({ model: guardModel(guard, model), tools, middleware: [createMiddleware(guardRun(guard))] })
 */
export function guardModel<Model extends object>(guard: Guard, model: Model): Model {
  checkGiven('guardModel', 'a chat model', model)
  const link = runOf(guard, 'langchain')
  const shared = sharedOf(guard)

  function isLast(words: AgentEvent): boolean {
    shared.isHeard = true
    const { type } = link.decide(words)
    return type === 'cut' || type === 'stop'
  }

  const open = new Set<Stream>()

  function begin(): Stream {
    const isBeside = [...open].some(({ isWaiting }) => isWaiting)
    // one that nobody reads is over
    if (!isBeside) open.clear()
    // words alone do not tell what was done between them: without the middleware, each stream counts on its own
    if (!isBeside && !shared.isOpen) takeBack()
    const { id } = shared
    const isOfRun = () => !isBeside && open.has(stream)
    // beside another of the same run it is that of a tool
    const isAlone = () =>
      isOfRun() ? isAloneIn(link, id) : !shared.isOpen && isAloneIn(link, stream)
    const stream: Stream = {
      isWaiting: true,
      hear: (toWords) => link.attempt(() => isAlone() && toWords().some(isLast)) ?? false,
      end(isBroken) {
        if (isBroken && isOfRun()) takeBack()
        open.delete(stream)
      },
    }
    open.add(stream)
    return stream
  }

  function takeBack(): void {
    if (shared.isHeard) link.decide({ type: 'retry' })
    shared.isHeard = false
  }

  return guardOr(guard, 'langchain', model, () => watchModel(model, begin))
}

/** What a model and a middleware of one run have to know of each other. */
interface Shared {
  id: unknown
  /** what is heard while it is written is not told again when the message is complete */
  isHeard: boolean
  /** the model was asked, and its run is not over */
  isOpen: boolean
  /** the last message of the model that is known */
  last: Any
}

const runs = new WeakMap<Guard, Shared>()

function sharedOf(guard: Guard): Shared {
  const run = runs.get(guard) ?? { id: guard, isHeard: false, isOpen: false, last: undefined }
  runs.set(guard, run)
  return run
}

// The fields we read of the SDK's types; `langchain.test-d.ts` holds them against it.

interface State {
  messages: readonly Any[]
}

interface Call {
  id?: string
  name: string
  args: unknown
}

interface Request {
  toolCall: Call
  tool: Any
  state: State
  runtime?: { signal?: AbortSignal }
}

const questionOf = ({ detail, tool }: Finding): Question => ({
  reason: detail,
  choices: tool === undefined ? CHOICES : [...CHOICES, 'allow'],
})

/** Does what the person chose; gives the words for the model, if there are some. What is no choice leaves it stopped. */
function choose(guard: Guard, choice: Any, tool = ''): string | undefined {
  if (choice === 'go-on') guard.continueOnce()
  if (choice === 'allow') guard.allow(tool)
  if (choice === 'disable') guard.disable()
  return typeof choice?.hint === 'string' ? guard.hint(choice.hint) : undefined
}

const CHOICES: readonly Choice[] = ['go-on', 'disable', 'stop']

const isAnswer = (message: Any) => message?.type === 'tool'

const roleOf = ({ type }: Any): string => ROLES[type] ?? type

const ROLES: Record<string, string> = { ai: 'assistant', human: 'user' }

function seeMessage(link: Run, message: Any, isHeard: boolean): void {
  const { tool_calls, usage_metadata } = message
  if (!isHeard) for (const words of toWords(message)) link.decide(words)
  for (const call of tool_calls ?? []) tellCall(link, call)
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = usage_metadata ?? {}
  link.decide({ type: 'usage', inputTokens, outputTokens })
  link.decide({ type: 'turn-end' })
}

/** Some servers give calls no ids; then what it calls tells which it is. */
const idOf = ({ id, name, args }: Call) => id || callKey(name, args)

const tellCall = (link: Run, call: Call): Verdict =>
  link.decide({ type: 'tool-call', id: idOf(call), name: call.name, args: call.args })

const tellResult = (link: Run, call: Call, output: unknown, isError: boolean) =>
  link.decide({ type: 'tool-result', id: idOf(call), name: call.name, output, isError })
