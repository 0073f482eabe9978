import type { AgentEvent } from '../../event.js'
import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { nextName, placeOf } from '../../host/lineage.js'
import { type Outcome, runOf } from '../../host/run.js'
import { type Account, openAccount } from '../shared/account.js'
import { isAlone } from '../shared/alone.js'
import type { Any } from '../shared/any.js'
import { checkGiven, checkGuard, guardOr, has, isGuarded, noteGuarded } from '../shared/given.js'
import { choose, type Question, questionOf } from './choices.js'
import { begin, type Call, isAi, seeAnswer, toCall, toEvents, toResult } from './messages.js'
import { type Begin, type Stream, unwatched, watchModel } from './model.js'

export { type Outcome, outcomeOf } from '../../host/run.js'
export type { Choice, Question } from './choices.js'

export interface MiddlewareOptions {
  /** `interrupt` of `@langchain/langgraph`: with a checkpointer and an attended guard, the person is asked there */
  interrupt?: (question: Question) => Any
}

/**
 * The argument of `createMiddleware` that guards the runs of an agent: tools that can be refused, advice for the model, and an end to
 * the run. It adds no step to the graph. With `createGuards()` it serves all conversations of a program.
 *
 * @example
 * const guards = createGuards()
 * const agent = createAgent({ model, tools, middleware: [createMiddleware(guardRun(guards))] })
 */
export function guardRun(guard: Guard | Guards, { interrupt }: MiddlewareOptions = {}) {
  checkGuard(guard, 'langchain')
  /** runs by the last answer of their model */
  const courses = new WeakMap<object, Promise<Course>>()

  async function open({ messages }: State, runtime: Runtime | undefined): Promise<Course> {
    const { thread_id, checkpoint_ns } = runtime?.configurable ?? {}
    // an agent inside another has the thread of that one, but a conversation of its own
    const id = checkpoint_ns?.includes('|') ? undefined : thread_id
    const account = await openAccount(guard, 'langchain', toEvents(messages), id)
    const last = messages.findLast(isAi)
    return { account, hints: new Map(), asked: undefined, last, place: '', named: undefined }
  }

  /** The run that has this state. */
  async function courseAt(state: State, runtime: Runtime | undefined): Promise<Course> {
    const last = state.messages.findLast(isAi)
    const known = await (last && courses.get(last))
    // an earlier answer that is gone back to is another run
    if (known && known.last === last) return known
    const opened = open(state, runtime)
    if (last) courses.set(last, opened)
    return opened
  }

  /** Asks the person where there is one; gives words for the model. */
  function askPerson({ run }: Account): string | undefined {
    const { stopped } = run
    // it throws where the graph has to wait for the person, and gives the choice when it goes on
    const choice = stopped?.action === 'ask' ? interrupt?.(questionOf(stopped)) : undefined
    return run.attempt(() => choose(run.guard, choice, stopped?.tool))
  }

  async function wrapModelCall(request: ModelRequest, handler: (request: Any) => Any) {
    const { state = { messages: request.messages } } = request
    const { messages } = state
    const course = await courseAt(state, request.runtime)
    const { account, hints } = course
    const { run } = account
    if (!account.enter()) return handler(request)
    const latest = messages.at(-1)
    // asked again after a failure, it is not new
    if (course.asked !== latest) run.attempt(() => begin(run, messages))
    course.asked = latest
    const hint = askPerson(account)
    if (hint !== undefined) hints.set(latest, hint)
    const { stopped } = run
    const place = placeIn(course, messages)
    const Answer = messages.findLast(isAi)?.constructor
    if (stopped && Answer) {
      await account.leave(place)
      const response_metadata = toMetadata('stopped', stopped)
      return new Answer({ content: `Stopped: ${stopped.detail}.`, response_metadata })
    }
    run.decide({ type: 'turn-start' })
    const advice = run.takeAdvice()
    const { stream, isHeard } = hearing(account)
    let answer: Any
    try {
      const model = unwatched(request.model, isOf(guard))
      answer = await handler({
        ...request,
        ...(model && { model: watchModel(model, stream) }),
        ...((advice || hints.size > 0) && { messages: withNotes(request.messages, hints, advice) }),
      })
    } catch (error) {
      run.decide({ type: 'retry' })
      if (advice) run.advise(advice)
      throw 'systemMessage' in request ? unwrapped(error) : error
    }
    const message = answer?.messages?.[0] ?? answer
    if (!account.isOwn || !message || !isAi(message)) return answer
    const calls = run.attempt(() => seeAnswer(run, message, isHeard())) ?? []
    if (run.outcome === 'cut') {
      const ended = toMetadata('cut', run.guard.findings.at(-1))
      message.response_metadata = { ...message.response_metadata, ...ended }
    }
    course.last = message
    courses.set(message, Promise.resolve(course))
    await account.leave(calls.reduce(nextName, place))
    return answer
  }

  async function wrapToolCall(request: ToolRequest, handler: (request: Any) => Any) {
    const { toolCall, state, runtime } = request
    const { account } = await courseAt(state, runtime)
    if (!account.isOwn) return handler(request)
    const { run } = account
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
    const verdict = run.decide(toCall(toolCall))
    if ('reason' in verdict) {
      run.decide(toResult(toolCall, verdict.reason, true))
      return answer(verdict.reason)
    }
    try {
      const message = await handler(request)
      const output = message?.content ?? message?.update
      const judged = run.decide(toResult(toolCall, output, message?.status === 'error'))
      return judged.type === 'deny' ? answer(judged.reason, message) : message
    } catch (error) {
      const { is_bubble_up, '~brand': brand } = (error ?? {}) as Any
      // a graph that waits for the person throws too; the tool will be run again
      if (is_bubble_up) throw error
      run.decide(toResult(toolCall, String(error), true))
      // what has a brand is handled outside of the middleware as it is without it
      if (brand || runtime?.signal?.aborted) throw error
      // all other errors would end the run; without a middleware the model reads this
      return answer(`${error}\n Please fix your mistakes.`)
    }
  }

  // other hooks would be steps of the graph, and those are limited
  return {
    name: 'unloop',
    wrapModelCall: wrapModelCall as Any,
    wrapToolCall: wrapToolCall as Any,
  }
}

/**
 * The same chat model, whose stream ends as if the model had stopped where it chants; beside `guardRun`, or alone.
 *
 * @example createAgent({ model: guardModel(guards, model), tools, middleware: [createMiddleware(guardRun(guards))] })
 */
export function guardModel<Model extends object>(guard: Guard | Guards, model: Model): Model {
  checkGiven('guardModel of unloop/langchain', 'a chat model', model, has(model, 'invoke'))
  checkGuard(guard, 'langchain')
  if (unwatched(model, isOf(guard))) return model
  const open = new Set<Stream>()
  let isHeard = false

  // words alone do not tell what was done between them, so each stream counts on its own
  function start(): Stream {
    const isBeside = [...open].some(({ isWaiting }) => isWaiting)
    // one that nobody reads is over
    if (!isBeside) open.clear()
    const run = runOf(isGuards(guard) ? guard.of(crypto.randomUUID()) : guard, 'langchain')
    if (!isBeside && isHeard) run.decide({ type: 'retry' })
    const stream: Stream = {
      isWaiting: true,
      hear(toWords) {
        isHeard = true
        return run.attempt(() => isAlone(run, stream) && toWords().some(isLast(run))) ?? false
      },
      end: () => open.delete(stream),
    }
    open.add(stream)
    return stream
  }

  noteGuarded(guard, start)
  return guardOr(guard, 'langchain', model, () => watchModel(model, start))
}

/** How the run has gone, where LangChain keeps what a provider adds to a message. */
const toMetadata = (outcome: Outcome, finding: Finding | undefined) => ({
  unloop: { outcome, finding },
})

/** Whether a model is watched for this guard. */
const isOf = (guard: Guard | Guards) => (begin: Begin) => isGuarded(begin, guard)

/** One run of an agent. */
interface Course {
  account: Account
  /** words of the person for the model, by the message that they follow */
  hints: Map<unknown, string>
  /** the last message of the request that was told last */
  asked: unknown
  /** the last answer of the model */
  last: unknown
  /** the name of the conversation up to and with the message that was named last */
  place: string
  named: unknown
}

/** The name of a conversation; what was named before is not read again. */
function placeIn(course: Course, messages: readonly Any[]): string {
  const from = messages.lastIndexOf(course.named) + 1
  const fresh = toEvents(messages.slice(from))
  course.place = from === 0 ? placeOf(fresh).whole : fresh.reduce(nextName, course.place)
  course.named = messages.at(-1)
  return course.place
}

const isLast =
  ({ decide }: Account['run']) =>
  (words: AgentEvent): boolean =>
    decide(words).type !== 'go'

/** Hears the streams of one request: another one takes the place of one that broke. */
function hearing(account: Account) {
  let isHeard = false
  return {
    isHeard: () => isHeard,
    stream(): Stream {
      const { run } = account
      if (isHeard) run.decide({ type: 'retry' })
      isHeard = false
      return {
        isWaiting: true,
        hear: (toWords) =>
          run.attempt(() => {
            isHeard = true
            return account.isOwn && toWords().some(isLast(run))
          }) ?? false,
        end() {},
      }
    },
  }
}

/** The messages with words for the model, in the class of the person's. */
function withNotes(messages: readonly Any[], hints: Map<unknown, string>, advice?: string): Any[] {
  const Human = messages.findLast(({ type }) => type === 'human')?.constructor
  const toNote = (content: string) => (Human ? new Human({ content }) : { role: 'user', content })
  const told = messages.flatMap((message) => {
    const hint = hints.get(message)
    return hint === undefined ? [message] : [message, toNote(hint)]
  })
  return advice ? [...told, toNote(advice)] : told
}

/**
 * LangChain makes errors of a model errors of the middleware around it, those aside that it takes for signals of its own. So that the
 * program gets what it would get without us, an error is such a signal for the one time that it is asked.
 */
function unwrapped(error: unknown): unknown {
  if (typeof error !== 'object' || !error || 'is_bubble_up' in error) return error
  Reflect.defineProperty(error, 'is_bubble_up', {
    configurable: true,
    get() {
      Reflect.deleteProperty(error, 'is_bubble_up')
      return true
    },
  })
  return error
}

// The fields we read of the SDK's types; `langchain.test-d.ts` holds them against it.

interface State {
  messages: readonly Any[]
}

interface Runtime {
  configurable?: { thread_id?: string; checkpoint_ns?: string }
  signal?: AbortSignal
}

interface ModelRequest {
  messages: readonly Any[]
  model?: Any
  state?: State
  runtime?: Runtime
}

interface ToolRequest {
  toolCall: Call
  tool: Any
  state: State
  runtime?: Runtime
}

const isAnswer = (message: Any) => message?.type === 'tool'
