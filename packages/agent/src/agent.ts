import { randomUUID } from 'node:crypto'
import type { Finding, Guard, GuardOptions } from 'unloop'
import { createTurnJudge } from './ask-judge.js'
import { type Choice, choose } from './choice.js'
import type { ClientEvent, UsageSum } from './client-event.js'
import { createConversation } from './conversation.js'
import { checkGuardMode, type GuardMode } from './guard-mode.js'
import type { Persona } from './hand-off.js'
import { type Entry, isRequest } from './history.js'
import { callsOf, type Message, textOf } from './message.js'
import type { Model } from './model.js'
import type { Approve } from './scheduler.js'
import type { SavedSession, SessionLog } from './session.js'
import { compactNow } from './shorten.js'
import { takeTurn } from './take-turn.js'
import { finish } from './tell.js'
import { createFaultTeller } from './tell-faults.js'
import { type Tool, toDeclaration } from './tool.js'
import { noUsage } from './usage.js'

export interface AgentOptions {
  model: Model
  tools?: readonly Tool[]
  /** a guard, or what one is to be told; by default the default guard */
  guard?: Guard | GuardOptions
  guardMode?: GuardMode
  /** models that are asked now and then whether the agent is stuck: a cheap one, and a stronger one that has to agree */
  judge?: { model: Model; confirm?: Model; firstTurn?: number }
  /** the system prompt */
  instructions?: string
  /** those the task can be handed to, by name; the first has it at the start */
  personas?: Record<string, Persona>
  /** Asks the person before a tool runs that wants it; without one such a tool does not run. */
  approve?: Approve
  /** turns a prompt may take */
  maxTurns?: number
  /** how often a model that failed is asked again */
  retries?: number
  /** a saved conversation to continue */
  saved?: SavedSession
  /** where it writes what must not be lost */
  log?: SessionLog
}

/** A model with tools and a guard, and their conversation. */
export interface Agent {
  /** the model that answers; `setModel` changes it */
  readonly model: Model
  readonly guard: Guard
  guardMode: GuardMode
  readonly history: readonly Message[]
  readonly usage: { prompt: UsageSum; session: UsageSum }
  /** turns of this prompt so far */
  readonly turn: number
  /** a loop has stopped the prompt and was not decided about yet */
  readonly stopped: Finding | undefined
  /**
   * Sends a request and yields what happens, until the prompt is done. A new prompt id starts over; the same
   * one with the same request is `resume`. A request that was not answered is not put into the history twice.
   */
  sendMessageStream(
    request: string,
    signal?: AbortSignal,
    promptId?: string,
  ): AsyncGenerator<ClientEvent, void, undefined>
  /** Goes on with the prompt, after a choice, a limit, an error or an abort; one that is done is only told again. */
  resume(signal?: AbortSignal): AsyncGenerator<ClientEvent, void, undefined>
  /**
   * Asks the last request again, as if it had not been asked: everything after it leaves the history and the guard. Throws
   * a `RangeError` if there is none.
   */
  retry(signal?: AbortSignal): AsyncGenerator<ClientEvent, void, undefined>
  /**
   * Has the older part of the history summarized now, however long it is. Ends with `compaction`, whose `messages` and
   * `kept` are equal if there was nothing to shorten, with `error`, or with `finished` if it was aborted.
   */
  compact(signal?: AbortSignal): AsyncGenerator<ClientEvent, void, undefined>
  /** Lets another model answer from the next turn on; throws while the agent is busy. */
  setModel(model: Model): void
  /**
   * Puts the person's decision into effect; all but `stop` are followed by `resume`. To go back gives the number of the first
   * event that was undone.
   */
  choose(choice: Choice): number | undefined
}

// as many as the reference allows; a prompt of honest work takes a tenth of it
const MAX_TURNS = 100
const RETRIES = 2

/**
 * An agent around a model.
 *
 * @example
 * const agent = createAgent({ model, tools: createFileTools('.') })
 * for await (const event of agent.sendMessageStream('What is in this folder?')) …
 */
export function createAgent(options: AgentOptions): Agent {
  const { tools = [], instructions = '', approve } = options
  const { maxTurns = MAX_TURNS, retries = RETRIES } = options
  checkCount('maxTurns', maxTurns, 1)
  checkCount('retries', retries, 0)
  const conversation = createConversation(options)
  const { guard, watch, history, handOff, usage } = conversation
  const judge = options.judge && createTurnJudge(options.judge, conversation)
  const declarations = tools.map(toDeclaration)
  const settings = { tools, declarations, instructions, approve, retries, judge }
  const newFaults = createFaultTeller(guard)
  let isBusy = false

  async function* send(text: string, signal: AbortSignal, id: string): Events {
    const isNew = id !== conversation.promptId
    if (!isNew && text === conversation.request) return yield* goOn(signal)
    const isThere = isOpen(history.entries, text)
    Object.assign(conversation, { promptId: id, request: text, stopped: undefined })
    const event = { type: 'prompt' as const, id, text, model: conversation.model.name }
    const number = guard.events
    if (isNew) {
      conversation.turn = 0
      usage.prompt = noUsage()
      judge?.reset(text)
      watch.decide(event)
    }
    if (isThere) dropPartialAnswer()
    else history.append({ message: { role: 'user', content: text }, first: number, last: number })
    conversation.save()
    if (isNew) yield event
    yield* takeTurns(signal)
  }

  async function* askAgain(signal: AbortSignal): Events {
    const index = history.entries.findLastIndex(({ message }) => isRequest(message))
    const request = history.entries[index]?.message
    if (!request) throw new RangeError('there is no request to retry; send a message first')
    history.truncate(index)
    handOff.goBack(history.toMessages())
    watch.takeAdvice()
    // after a stop a prompt starts over whatever it says, even "go on"
    if (watch.mode !== 'off') guard.stop()
    yield* send(textOf(request), signal, randomUUID())
  }

  async function* goOn(signal: AbortSignal): Events {
    if (conversation.stopped) choose(conversation, { type: 'continue-once' })
    const last = history.entries.at(-1)?.message
    if (!last || isAnswer(last)) {
      yield* finish(conversation, 'done')
      return
    }
    // no model can answer its own words: it is asked for them again
    if (dropPartialAnswer()) {
      watch.decide({ type: 'retry', ...handOff.by })
      yield { type: 'retry', reason: 'the answer was interrupted', afterMs: 0, ...handOff.by }
    }
    yield* takeTurns(signal)
  }

  function dropPartialAnswer(): boolean {
    const last = history.entries.at(-1)?.message
    if (last?.role !== 'assistant' || callsOf(last).length > 0) return false
    history.truncate(history.length - 1)
    return true
  }

  async function* takeTurns(signal: AbortSignal): Events {
    for (let left = maxTurns; ; left--) {
      if (left === 0) return yield { type: 'turn-limit', turns: conversation.turn, limit: maxTurns }
      const goesOn = yield* takeTurn(conversation, settings, signal)
      conversation.save()
      if (!goesOn) return
    }
  }

  function checkIdle() {
    if (isBusy) throw new Error('this agent is busy with a prompt; wait for its last event')
  }

  /** One at a time; the next may begin when this one is over, however it ends. */
  async function* alone(run: () => Events): Events {
    checkIdle()
    isBusy = true
    try {
      for await (const event of run()) {
        yield* newFaults()
        yield event
      }
    } finally {
      isBusy = false
      conversation.save()
    }
  }

  return {
    get model() {
      return conversation.model
    },
    guard,
    usage,
    sendMessageStream: (text, signal = neverAborted(), id = randomUUID()) =>
      alone(() => send(text, signal, id)),
    resume: (signal = neverAborted()) => alone(() => goOn(signal)),
    retry: (signal = neverAborted()) => alone(() => askAgain(signal)),
    compact: (signal = neverAborted()) => alone(() => compactNow(conversation, retries, signal)),
    setModel(model) {
      checkIdle()
      conversation.changeModel(model)
    },
    choose: (choice) => choose(conversation, choice),
    get guardMode() {
      return watch.mode
    },
    set guardMode(mode) {
      watch.mode = checkGuardMode(mode)
      conversation.save()
    },
    get history() {
      return history.entries.map(({ message }) => message)
    },
    get turn() {
      return conversation.turn
    },
    get stopped() {
      return conversation.stopped?.finding
    },
  }
}

type Events = AsyncGenerator<ClientEvent, void, undefined>

/** Whether a message ends what was asked for. */
const isAnswer = (message: Message) =>
  message.role === 'assistant' && callsOf(message).length === 0 && !message.interrupted

/** Whether this text is the last request, and was not answered. */
function isOpen(entries: readonly Entry[], text: string): boolean {
  const request = entries.findLast(({ message }) => isRequest(message))?.message
  const last = entries.at(-1)?.message
  return request?.content === text && last !== undefined && !isAnswer(last)
}

const neverAborted = () => new AbortController().signal

function checkCount(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return
  throw new RangeError(`${name} must be a whole number of at least ${least}, got ${value}`)
}
