import { createGuard, type Finding, type Guard } from 'unloop'
import type { AgentOptions } from './agent.js'
import type { Purpose, UsageEvent, UsageSum } from './client-event.js'
import type { Measure } from './compaction.js'
import { checkGuardMode, savedGuardMode } from './guard-mode.js'
import { createHandOff, type HandOff } from './hand-off.js'
import { createHistory, type Entry, type History } from './history.js'
import type { AssistantPart } from './message.js'
import type { Model, TokenUsage } from './model.js'
import { toSafeLog } from './safe-log.js'
import type { AgentState, SavedSession } from './session.js'
import { addUsage, noUsage } from './usage.js'
import { createWatch, type Watch } from './watch.js'

/** All that an agent knows: its history, its guard, what was used, and what is open. */
export interface Conversation {
  model: Model
  readonly guard: Guard
  readonly watch: Watch
  readonly history: History
  readonly handOff: HandOff
  readonly usage: { prompt: UsageSum; session: UsageSum }
  promptId: string
  request: string
  turn: number
  /** what the model said last about the length of the history */
  measured: Measure | undefined
  /** what models other than the answering one have cost, not reported yet */
  readonly costs: UsageEvent[]
  /** a loop that was not decided about yet, and how much of the history remains without it */
  stopped: { finding: Finding; length: number } | undefined
  /** Puts words of the guard before the model. */
  note(content: string): void
  /** Puts the advice that waits before the model, after all results, where every protocol takes it. */
  adviseModel(): void
  countUsage(model: string, tokens: TokenUsage, purpose?: Purpose): void
  /** Counts tokens of a model that does not answer, to be told of later. */
  toCounter(model: Model, purpose: Purpose): (tokens: TokenUsage) => void
  /** Lets another model answer from now on. */
  changeModel(model: Model): void
  save(): void
}

/** A new conversation, or a saved one that continues. */
export function createConversation(options: AgentOptions): Conversation {
  const { guard, saved } = toGuard(options)
  const log = options.log && toSafeLog(options.log, guard)
  const asked = checkGuardMode(options.guardMode ?? 'enforce')
  const watch = createWatch(guard, saved?.state ? savedGuardMode(saved.state.guardMode) : asked)
  const history = createHistory(saved?.entries, log?.append, log?.replace)
  const handOff = createHandOff(options.personas, saved?.state?.speaker)
  const usage = saved?.state?.usage ?? { prompt: noUsage(), session: noUsage() }
  const { promptId = '', request = '', turn = 0, stopped } = saved?.state ?? {}
  return {
    model: options.model,
    guard,
    watch,
    history,
    handOff,
    usage,
    promptId,
    request,
    turn,
    stopped,
    measured: undefined,
    costs: [],
    note(content) {
      const said = history.entries.at(-1)?.message
      // nobody has answered it yet: said twice in a row, it says no more
      if (said?.role === 'user' && said.from === 'guard' && said.content === content) return
      const number = guard.events
      history.append({
        message: { role: 'user', content, from: 'guard' },
        first: number,
        last: number,
      })
    },
    adviseModel() {
      const advice = watch.takeAdvice()
      if (advice === undefined) return
      this.note(advice)
      // the note is in the file: it must not be there as advice as well
      this.save()
    },
    countUsage(model, tokens, purpose) {
      addUsage(usage.prompt, model, tokens, purpose)
      addUsage(usage.session, model, tokens, purpose)
    },
    toCounter(model, purpose) {
      return (tokens) => {
        this.countUsage(model.name, tokens, purpose)
        this.costs.push({ ...tokens, type: 'usage', model: model.name, purpose })
      }
    },
    changeModel(next) {
      this.model = next
      // each model counts tokens in its own way, and wants back only what it has said itself
      this.measured = undefined
      history.replace(history.entries.map(withoutMeta))
      log?.changeModel(next.name)
    },
    save() {
      const { promptId, request, turn, stopped } = this
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
    },
  }
}

/** The guard, and what it continues from. */
function toGuard({ guard, tools = [], saved }: AgentOptions): {
  guard: Guard
  saved: SavedSession | undefined
} {
  if (guard && 'observe' in guard) return { guard, saved }
  const effects = Object.fromEntries(
    tools.flatMap(({ name, effect }) => (effect ? [[name, { effect }]] : [])),
  )
  // faults become events, and need no line on the console
  const onFault = () => {}
  const options = { onFault, ...guard, tools: { ...effects, ...guard?.tools } }
  try {
    return { guard: createGuard(options, saved?.state?.guard), saved }
  } catch (error) {
    if (!saved?.state) throw error
    // a state that cannot be read must not take the conversation with it
    return { guard: createGuard(options), saved: withoutNumbers(saved, saved.state) }
  }
}

/** Without what a provider wanted back. */
function withoutMeta(entry: Entry): Entry {
  const { message } = entry
  if (message.role !== 'assistant') return entry
  const content = message.content.map(({ meta: _, ...part }) => part as AssistantPart)
  return { ...entry, message: { ...message, content } }
}

/** For a guard that knows nothing of its events: none of them can be gone back to. */
function withoutNumbers(saved: SavedSession, { stopped: _, ...state }: AgentState): SavedSession {
  const entries = saved.entries.map((entry) => ({ ...entry, first: -1, last: -1 }))
  return { ...saved, entries, state }
}
