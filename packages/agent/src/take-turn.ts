import type { Finding } from 'unloop'
import type { TurnJudge } from './ask-judge.js'
import type { ClientEvent } from './client-event.js'
import type { Conversation } from './conversation.js'
import { notRun } from './history.js'
import type { ToolDeclaration } from './model.js'
import { runRound } from './run-round.js'
import type { Approve } from './scheduler.js'
import { shorten } from './shorten.js'
import { finish, stop, tellCosts, warn } from './tell.js'
import type { Tool } from './tool.js'
import { streamTurn, type TurnEnd } from './turn.js'

export interface TurnSettings {
  tools: readonly Tool[]
  /** the same as models are told of them */
  declarations: readonly ToolDeclaration[]
  instructions: string
  approve: Approve | undefined
  retries: number
  judge: TurnJudge | undefined
}

/** One turn of the model and the calls it makes; true if the model has to be asked again. */
export async function* takeTurn(
  conversation: Conversation,
  settings: TurnSettings,
  signal: AbortSignal,
): AsyncGenerator<ClientEvent, boolean, undefined> {
  const { guard, watch, history, handOff } = conversation
  const { judge, retries } = settings
  if ((yield* shorten(conversation, retries, signal)) === 'over') return false
  conversation.adviseModel()
  const before = history.length
  const first = guard.events
  conversation.turn++
  const start = watch.decide({ type: 'turn-start', ...handOff.by })
  if (start.type === 'stop') return yield* stop(conversation, start.finding, before)
  yield* warn(start)
  yield { type: 'turn-start', turn: conversation.turn, ...handOff.by }
  const verdict = await judge?.turnStarted(signal)
  yield* tellCosts(conversation)
  if (verdict?.type === 'stop') return yield* stop(conversation, verdict.finding, before)
  if (verdict) yield* warn(verdict)
  conversation.adviseModel()
  if (signal.aborted) return yield* finish(conversation, 'aborted')

  const end = yield* ask(conversation, settings, signal)
  if (end.type !== 'failed' || end.error.kind !== 'too-long') {
    return yield* conclude(conversation, settings, end, { before, first }, signal)
  }
  yield* tellSkipped(end, handOff.by)
  const shortened = yield* shorten(conversation, retries, signal, true)
  if (shortened === 'over') return false
  const again = shortened === 'shorter' ? yield* ask(conversation, settings, signal) : end
  const begin = { before: history.length, first }
  return yield* conclude(conversation, settings, again, begin, signal)
}

/** Asks the model with the history as it is. */
function ask(
  conversation: Conversation,
  { instructions, declarations, retries }: TurnSettings,
  signal: AbortSignal,
) {
  const { model, watch, history, handOff } = conversation
  return streamTurn({
    model,
    request: {
      system: handOff.systemPrompt(instructions),
      messages: history.toMessages(),
      tools: [...declarations, ...handOff.declarations],
    },
    signal,
    watch,
    retries,
    by: handOff.by,
    toEvent: handOff.toEvent,
    onUsage: (tokens) => conversation.countUsage(model.name, tokens),
  })
}

/** Where a turn began: in the history, and in the events. */
interface Start {
  before: number
  first: number
}

/** Keeps what the model said, and does what it asks for; true if it has to be asked again. */
async function* conclude(
  conversation: Conversation,
  settings: TurnSettings,
  end: TurnEnd,
  { before, first }: Start,
  signal: AbortSignal,
): AsyncGenerator<ClientEvent, boolean, undefined> {
  const { guard, history } = conversation
  const message = end.answer.toMessage(chantOf(end))
  if (message.content.length > 0) {
    const isWhole = end.type === 'stopped' || (end.type === 'answered' && !end.cut)
    const said = isWhole ? message : { ...message, interrupted: true as const }
    const entry = { message: said, first, last: guard.events - 1 }
    history.append(entry)
    if (end.tokens > 0) conversation.measured = { tokens: end.tokens, upTo: entry }
  }
  if (end.type !== 'answered') yield* giveUpCalls(conversation, end)
  switch (end.type) {
    case 'stopped':
      return yield* stop(conversation, end.finding, before)
    case 'aborted':
      return yield* finish(conversation, 'aborted')
    case 'failed': {
      const { kind, message, advice } = end.error
      yield { type: 'error', kind, message, advice }
      return false
    }
    case 'answered':
      return yield* afterAnswer(conversation, settings, end, before, signal)
  }
}

async function* afterAnswer(
  conversation: Conversation,
  settings: TurnSettings,
  end: TurnEnd & { type: 'answered' },
  before: number,
  signal: AbortSignal,
): AsyncGenerator<ClientEvent, boolean, undefined> {
  const { watch, handOff } = conversation
  const verdict = watch.decide({ type: 'turn-end', ...handOff.by })
  if (verdict.type === 'stop') {
    yield* giveUpCalls(conversation, end)
    return yield* stop(conversation, verdict.finding, before)
  }
  yield* warn(verdict)
  yield { type: 'turn-end', ...handOff.by }
  if (end.answer.calls.length > 0) return yield* runRound(conversation, settings, end, signal)
  if (end.cut) return true
  const { reason } = end
  return yield* finish(conversation, reason === 'length' || reason === 'refused' ? reason : 'done')
}

/** Tells the model, and whoever was told of the calls, that what it called for in this turn was not done. */
function* giveUpCalls(
  { guard, history, handOff }: Conversation,
  end: TurnEnd,
): Generator<ClientEvent> {
  const content = notRun(end.answer.calls)
  const number = guard.events - 1
  if (content.length > 0)
    history.append({ message: { role: 'tool', content }, first: number, last: number })
  yield* tellSkipped(end, handOff.by)
}

/** Tells the client, once, that the calls it knows of were not run. */
function* tellSkipped({ answer, told }: TurnEnd, by: { agent?: string }): Generator<ClientEvent> {
  for (const result of notRun(answer.calls)) if (told.delete(result.id)) yield { ...result, ...by }
}

/** What cut the answer short; the answer knows whether it was writing or calling then. */
function chantOf(end: TurnEnd): Finding | undefined {
  if (end.type === 'stopped') return end.finding
  return end.type === 'answered' ? end.cut : undefined
}
