import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { placeOf } from '../../host/lineage.js'
import { type Run, runOf } from '../../host/run.js'
import { type Account, openAccount } from '../shared/account.js'
import type { Any } from '../shared/any.js'
import { checkGuard } from '../shared/given.js'
import { createEar, type Ear } from './answer.js'
import { begin, hasKnown, type Message, toEvents } from './messages.js'
import { ask as askModel, isAsking, toLastModel, type Waiting, waitFor, watch } from './model.js'

/**
 * A middleware that guards the runs of a model, for programs that take a model and run the tools themselves, and for structured
 * output. Where the options of the run are yours, `guardRun` can do more.
 *
 * @example const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: guardMiddleware(guards) })
 */
export function guardMiddleware(guard: Guard | Guards): Any {
  checkGuard(guard, 'ai-sdk')
  /** requests by their prompts, which are the same if asked again after a failure, and by what is sent */
  const turns = new WeakMap<object, Turn>()
  /** the request that goes on, where one guard watches all of them */
  let current: Turn | undefined

  /** Whether a request is none of the run that the only guard watches. */
  function isAside(turn: Turn, prompt: readonly Message[]): boolean {
    // each conversation has its own
    if (isGuards(guard)) return false
    const isBeside = current?.isWaiting
    if (!isOfRun(runOf(guard), turn, prompt, isBeside)) return true
    // one without tools that began before the run is none of it either
    if (isBeside && current?.tools.length === 0) current.isAside = true
    current = turn
    return false
  }

  /** Tells of a request; gives words for the model. */
  async function ask(
    turn: Turn,
    prompt: readonly Message[],
    model: Any,
  ): Promise<string | undefined> {
    if (isAside(turn, prompt)) return
    turn.isWaiting = true
    const history = toEvents(prompt)
    const opened = await openAccount(guard, 'ai-sdk', history)
    const account = Object.create(opened, {
      isOwn: { get: () => !turn.isAside && opened.isOwn },
    }) as Account
    if (!account.isOwn || !account.enter()) return
    const { run } = account
    turn.account = account
    turn.ear = createEar(account, placeOf(history).whole, true)
    const notes = run.attempt(() => begin(run, prompt, model)) ?? []
    if (run.stopped) return
    run.decide({ type: 'turn-start' })
    return [...notes, run.takeAdvice() ?? []].flat().join('\n')
  }

  /** Answers in the place of a model, if the run has to end. */
  function lastModel(turn: Turn | undefined, model: Any) {
    const { stopped } = turn?.account?.run ?? {}
    if (turn) turn.isWaiting = false
    return stopped && turn?.account?.isOwn && toLastModel(model, stopped)
  }

  return {
    specificationVersion: 'v3',

    async transformParams({ params, model }: Any) {
      const { prompt, tools = [] } = params
      if (isAsking(guard, prompt)) return params
      const known = turns.get(prompt)
      const turn = known ?? { tools }
      const text = known ? undefined : await ask(turn, prompt, model)
      turns.set(prompt, turn)
      const sent = { ...params, prompt: text ? [...prompt, toMessage(text)] : prompt }
      turns.set(sent, turn)
      return sent
    },

    async wrapGenerate({ doGenerate, model, params }: Any) {
      const turn = turns.get(params)
      const last = lastModel(turn, model)
      if (last) return last.doGenerate()
      if (!turn) return doGenerate()
      const answer = await waitFor(turn, askModel(guard, params.prompt, doGenerate))
      await turn.ear?.hearAll(answer)
      return answer
    },

    async wrapStream({ doStream, model, params }: Any) {
      const turn = turns.get(params)
      const last = lastModel(turn, model)
      if (last) return last.doStream()
      if (!turn) return doStream()
      const answer = await waitFor(turn, askModel(guard, params.prompt, doStream))
      const { account, ear } = turn
      if (!account || !ear) return answer
      return { ...answer, stream: watch(account.run, answer.stream, model, ear, turn) }
    },
  }
}

/** A request, and its answer while it comes. */
interface Turn extends Waiting {
  tools: readonly { name?: string }[]
  /** it turned out to be none of the run's */
  isAside?: boolean
  account?: Account
  ear?: Ear
}

/**
 * Whether a request goes on with the run that one guard watches. One of an unknown history is another's unless it has tools of the
 * run: somebody asks for a title, or a tool for itself.
 */
function isOfRun(
  run: Run,
  { tools }: Turn,
  prompt: readonly Message[],
  isBeside: boolean | undefined,
): boolean {
  if (hasKnown(run, prompt)) return true
  if (run.calls.length === 0) return tools.length > 0 || !isBeside
  return tools.some(({ name }) => run.calls.some((call) => call.name === name))
}

const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
