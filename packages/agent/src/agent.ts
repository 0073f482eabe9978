import { randomUUID } from 'node:crypto'
import { createGuard, createJudge, type Finding, type Guard, type GuardOptions } from 'unloop'
import { toAsk } from './ask-judge.js'
import { type ClientEvent, isAgentEvent, type UsageSum } from './client-event.js'
import { compact, isFull } from './compaction.js'
import { createHandOff, type Persona } from './hand-off.js'
import { createHistory } from './history.js'
import type { Message, ResultPart } from './message.js'
import type { Model, TokenUsage } from './model.js'
import { type Approve, runCalls } from './scheduler.js'
import type { AgentState, SavedSession, SessionLog } from './session.js'
import { type Tool, toDeclaration } from './tool.js'
import { streamTurn, type TurnEnd } from './turn.js'
import { addJudgeUsage, addUsage, noUsage } from './usage.js'
import { createWatch, type GuardMode, isFinal } from './watch.js'

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
  /** goes on from there */
  saved?: SavedSession
  /** where it writes what must not be lost */
  log?: SessionLog
}

/** What the person decides about a loop. */
export type Choice =
  | { type: 'stop' }
  | { type: 'continue-once' }
  | { type: 'allow-tool'; tool?: string; times?: number | 'always' }
  | { type: 'hint'; text: string }
  | { type: 'go-back'; hint?: string }
  | { type: 'disable' }

/** A model with tools and a guard, and their conversation. */
export interface Agent {
  readonly model: Model
  readonly guard: Guard
  guardMode: GuardMode
  readonly history: readonly Message[]
  readonly usage: { prompt: UsageSum; session: UsageSum }
  /** turns of this prompt so far */
  readonly turn: number
  /** a loop has stopped the prompt, and nobody has decided about it */
  readonly stopped: Finding | undefined
  /**
   * Sends a request and yields what happens, until the prompt is done. A new prompt id begins anew; the same
   * one with the same request goes on where that was stopped.
   */
  sendMessageStream(
    request: string,
    signal?: AbortSignal,
    promptId?: string,
  ): AsyncGenerator<ClientEvent, void, undefined>
  /** Goes on with the prompt, after a choice or a limit. */
  resume(signal?: AbortSignal): AsyncGenerator<ClientEvent, void, undefined>
  /** Puts the person's decision into effect; all but `stop` are followed by `resume`. */
  choose(choice: Choice): void
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
  const { model, tools = [], instructions = '', approve, saved, log } = options
  const { maxTurns = MAX_TURNS, retries = RETRIES } = options
  checkCount('maxTurns', maxTurns, 1)
  checkCount('retries', retries, 0)
  const guard = toGuard(options, saved?.state)
  const watch = createWatch(guard, saved?.state?.guardMode ?? options.guardMode ?? 'on')
  const history = createHistory(saved?.entries, log?.append, log?.replace)
  const handOff = createHandOff(options.personas, saved?.state?.speaker)
  const usage = saved?.state?.usage ?? { prompt: noUsage(), session: noUsage() }
  let { promptId = '', request = '', turn = 0, stopped } = saved?.state ?? {}
  let lastInput = 0
  let running = false

  const judge = options.judge && toJudge(options.judge)

  function toJudge({ model, confirm, firstTurn }: NonNullable<AgentOptions['judge']>) {
    const count = (tokens: TokenUsage) => {
      addJudgeUsage(usage.prompt, tokens)
      addJudgeUsage(usage.session, tokens)
    }
    return createJudge({
      ask: toAsk(model, count),
      history: () => history.toMessages() as unknown as Record<string, unknown>[],
      ...(confirm && { confirm: toAsk(confirm, count) }),
      ...(firstTurn !== undefined && { firstTurn }),
    })
  }

  async function* sendMessageStream(
    text: string,
    signal: AbortSignal = new AbortController().signal,
    id: string = randomUUID(),
  ): AsyncGenerator<ClientEvent, void, undefined> {
    if (id === promptId && text === request) return yield* resume(signal)
    const isNew = id !== promptId
    promptId = id
    request = text
    stopped = undefined
    const event = { type: 'prompt' as const, id, text, model: model.name }
    const number = guard.events
    if (isNew) {
      turn = 0
      usage.prompt = noUsage()
      judge?.reset(text)
      watch.takeAdvice()
      watch.see(event)
    }
    history.append({ message: { role: 'user', content: text }, first: number, last: number })
    save()
    if (isNew) yield event
    yield* run(signal)
  }

  async function* resume(signal: AbortSignal = new AbortController().signal) {
    if (stopped) choose({ type: 'continue-once' })
    yield* run(signal)
  }

  async function* run(signal: AbortSignal): AsyncGenerator<ClientEvent, void, undefined> {
    if (running) throw new Error('this agent is busy with a prompt; wait for its last event')
    running = true
    try {
      for (let left = maxTurns; ; left--) {
        if (left === 0) return yield { type: 'turn-limit', turns: turn }
        const goesOn = yield* takeTurn(signal)
        save()
        if (!goesOn) return
      }
    } finally {
      running = false
      save()
    }
  }

  /** One turn of the model and the calls it makes; true if the model has to be asked again. */
  async function* takeTurn(signal: AbortSignal): AsyncGenerator<ClientEvent, boolean, undefined> {
    if (isFull(history.entries, model, lastInput)) yield* shorten(signal)
    adviseModel()
    const before = history.length
    const first = guard.events
    turn++
    const seen = watch.see({ type: 'turn-start', ...handOff.by })
    if (seen && isFinal(seen)) return yield* stop(seen, before)
    if (seen) {
      yield* warn(seen)
      adviseModel()
    }
    yield { type: 'turn-start', turn, ...handOff.by }
    const verdict = await judge?.turnStarted(signal, guard.events)
    if (verdict && watch.mode === 'on') return yield* stop(verdict, before)
    if (signal.aborted) return yield* finish('aborted')

    const end = yield* streamTurn({
      model,
      request: {
        system: handOff.systemPrompt(instructions),
        messages: history.toMessages(),
        tools: [...tools.map(toDeclaration), ...handOff.declarations],
      },
      signal,
      watch,
      retries,
      speaker: handOff.speaker,
      toEvent: handOff.toEvent,
      onUsage(tokens) {
        countUsage(tokens)
        lastInput = (tokens.inputTokens ?? 0) + (tokens.outputTokens ?? 0)
      },
    })
    const message = end.answer.toMessage(end.type === 'answered' ? end.cut : chantOf(end))
    if (message.content.length > 0) history.append({ message, first, last: guard.events - 1 })
    if (end.type === 'stopped') return yield* stop(end.finding, before)
    if (end.type === 'aborted') return yield* finish('aborted')
    if (end.type === 'failed') {
      const { kind, message, advice } = end.error
      yield { type: 'error', kind, message, advice }
      return false
    }
    const finding = watch.see({ type: 'turn-end', ...handOff.by })
    if (finding && isFinal(finding)) return yield* stop(finding, before)
    if (finding) yield* warn(finding)
    yield { type: 'turn-end', ...handOff.by }
    if (end.cut) watch.advise(end.cut.advice)
    if (end.answer.calls.length > 0) return yield* runRound(end, signal)
    if (end.cut) return true
    return yield* finish(end.reason === 'length' || end.reason === 'refused' ? end.reason : 'done')
  }

  /** Runs the calls of a turn; true unless a result showed a loop that has to end. */
  async function* runRound(
    end: TurnEnd,
    signal: AbortSignal,
  ): AsyncGenerator<ClientEvent, boolean, undefined> {
    const first = guard.events
    const results: ResultPart[] = []
    const halt = new AbortController()
    const { handed, calls } = handOff.split(end.answer.calls, end.refused)
    results.push(...handed)
    const round = runCalls(calls, {
      tools,
      signal: AbortSignal.any([signal, halt.signal]),
      approve,
      refused: end.refused,
    })
    let final: Finding | undefined
    for await (const event of round) {
      if (signal.aborted) break
      const told = event.type === 'report' ? event.event : { ...event, ...handOff.by }
      const finding = isAgentEvent(told) ? watch.see(told) : undefined
      if (finding && isFinal(finding)) {
        final = finding
        if (event.type !== 'report') results.push(event)
        break
      }
      if (event.type === 'report') {
        // the guard of the sub-agent has told its model already
        yield told
        continue
      }
      if (finding) yield* warn(finding, event)
      const result =
        finding?.action === 'block' ? { ...event, output: finding.advice, isError: true } : event
      results.push(result)
      yield { ...result, ...handOff.by }
    }
    if (final || signal.aborted) halt.abort()
    const content = end.answer.calls.flatMap(
      ({ id }) => results.find((result) => result.id === id) ?? [],
    )
    if (content.length > 0) {
      history.append({
        message: { role: 'tool', content },
        first,
        last: Math.max(first, guard.events - 1),
      })
    }
    if (final) return yield* stop(final, history.length)
    if (signal.aborted) return yield* finish('aborted')
    return true
  }

  function* warn(finding: Finding, result?: ResultPart): Generator<ClientEvent> {
    // the answer to a blocked call is the advice itself
    if (!(result && finding.action === 'block')) watch.advise(finding.advice)
    yield { type: 'loop_warning', finding }
  }

  /** Puts what the guard has to say before the model, after all results, where every protocol takes it. */
  function adviseModel() {
    for (const content of watch.takeAdvice()) note(content)
  }

  function note(content: string) {
    const number = guard.events
    history.append({
      message: { role: 'user', content, from: 'guard' },
      first: number,
      last: number,
    })
  }

  /** Ends the prompt; the model will read why. `length` is how much of the history a resumed prompt has. */
  function* stop(finding: Finding, length: number): Generator<ClientEvent, false> {
    stopped = { finding, length }
    watch.takeAdvice()
    note(`Your last turn was stopped: ${finding.detail}. ${finding.advice}`)
    save()
    yield { type: 'loop_detected', finding }
    return false
  }

  function* finish(
    reason: 'done' | 'length' | 'refused' | 'aborted',
  ): Generator<ClientEvent, false> {
    yield { type: 'finished', reason, usage: { ...usage.prompt } }
    return false
  }

  async function* shorten(signal: AbortSignal): AsyncGenerator<ClientEvent, void, undefined> {
    const count = history.length
    const next = await compact(history.entries, model, lastInput, signal, countUsage)
    lastInput = 0
    if (next.length >= count) return
    history.replace(next)
    watch.see({ type: 'compaction', ...handOff.by })
    yield { type: 'compaction', messages: count, kept: next.length, ...handOff.by }
  }

  function countUsage(tokens: TokenUsage) {
    addUsage(usage.prompt, tokens)
    addUsage(usage.session, tokens)
  }

  function choose(choice: Choice): void {
    const finding = stopped?.finding
    const length = stopped?.length ?? history.length
    switch (choice.type) {
      case 'stop':
        guard.stop()
        break
      case 'continue-once':
        guard.continueOnce()
        history.truncate(length)
        break
      case 'allow-tool': {
        const tool = choice.tool ?? finding?.tool
        if (tool === undefined)
          throw new RangeError(`this loop is not about a tool, got ${finding?.kind}`)
        guard.allow(tool, choice.times ?? 'always')
        history.truncate(length)
        break
      }
      case 'hint':
        history.truncate(length)
        note(guard.hint(choice.text))
        break
      case 'go-back':
        history.cutFrom(guard.goBack())
        if (choice.hint) note(choice.hint)
        break
      case 'disable':
        watch.mode = 'off'
        history.truncate(length)
        break
    }
    stopped = undefined
    save()
  }

  function save() {
    log?.state({
      promptId,
      request,
      turn,
      usage,
      guardMode: watch.mode,
      guard: guard.snapshot(),
      ...(handOff.speaker !== undefined && { speaker: handOff.speaker }),
      ...(stopped && { stopped }),
    })
  }

  return {
    model,
    guard,
    usage,
    sendMessageStream,
    resume,
    choose,
    get guardMode() {
      return watch.mode
    },
    set guardMode(mode) {
      watch.mode = mode
      save()
    },
    get history() {
      return history.entries.map(({ message }) => message)
    },
    get turn() {
      return turn
    },
    get stopped() {
      return stopped?.finding
    },
  }
}

function toGuard({ guard, tools = [] }: AgentOptions, state: AgentState | undefined): Guard {
  if (guard && 'observe' in guard) return guard
  const effects = Object.fromEntries(
    tools.flatMap(({ name, effect }) => (effect ? [[name, { effect }]] : [])),
  )
  return createGuard({ ...guard, tools: { ...effects, ...guard?.tools } }, state?.guard)
}

/** The finding if it is about what the model wrote and not about what it called. */
const chantOf = (end: TurnEnd): Finding | undefined =>
  end.type === 'stopped' && end.finding.tool === undefined && end.answer.calls.length === 0
    ? end.finding
    : undefined

function checkCount(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return
  throw new RangeError(`${name} must be a whole number of at least ${least}, got ${value}`)
}
