import type { Finding } from 'unloop'
import { isFinal } from 'unloop/host'
import { STATES } from 'unloop/words'
import { type ClientEvent, isAgentEvent } from './client-event.js'
import type { Conversation } from './conversation.js'
import type { CallPart, ResultPart } from './message.js'
import { toRefusal, toWithheld, UNKNOWN } from './outcome.js'
import { type Approve, type RunEvent, runCalls } from './scheduler.js'
import { finish, stop, warn } from './tell.js'
import type { Tool } from './tool.js'
import type { TurnEnd } from './turn.js'
import type { Watch } from './watch.js'

export interface RoundSettings {
  tools: readonly Tool[]
  approve: Approve | undefined
}

/** Runs the calls of a turn; true unless a result showed a loop that has to end. */
export async function* runRound(
  conversation: Conversation,
  { tools, approve }: RoundSettings,
  { answer, denied }: TurnEnd,
  signal: AbortSignal,
): AsyncGenerator<ClientEvent, boolean, undefined> {
  const { guard, watch, history, handOff } = conversation
  const first = guard.events
  const { by } = handOff
  const { handed, calls } = handOff.split(answer.calls, denied)
  const refused = refuse(watch, calls, by)
  const halt = new AbortController()
  const both = AbortSignal.any([signal, halt.signal])
  const round = runCalls(calls, { tools, signal: both, approve, refused })
  const replaced = new Map<ResultPart, ResultPart>()
  const isWarned = createWarned()
  const nested = createOpenCalls()
  let results: ResultPart[] = []
  let final: Finding | undefined
  /** what came too late to be acted on */
  const late: RunEvent[] = []
  try {
    for await (const event of round) {
      if (signal.aborted) {
        late.push(event)
        break
      }
      if (event.type === 'report') {
        const told = event.event
        const isToldAlready = isWarned(told)
        const finding = isAgentEvent(told) ? watch.overhear(told) : undefined
        final = finding && isFinal(finding) ? finding : undefined
        if (final && told.type !== 'tool-result') break
        if (told.type === 'usage') conversation.countUsage(told.model, told, told.purpose)
        if (finding && !final && !isToldAlready) yield* warnOf(watch, finding)
        nested.see(told)
        yield told
        if (final) break
        continue
      }
      const verdict = watch.decide({ ...event, ...handOff.by })
      if (verdict.type === 'stop') {
        final = verdict.finding
        break
      }
      yield* warn(verdict)
      // the answer to a call that should not have been made is the reason
      const isRun = round.started.has(event.id)
      const result = verdict.type === 'deny' ? withheld(event, verdict.reason, isRun) : event
      replaced.set(event, result)
      yield { ...result, ...handOff.by }
    }
  } finally {
    // also when the consumer has gone; what still runs ends now, and says that it was interrupted
    halt.abort()
    const ended = await round.results
    results = ended.filter((result) => !replaced.has(result))
    const said = ended.map((result) => replaced.get(result) ?? result)
    append(conversation, answer.calls, [...handed, ...said], first)
  }
  // whatever ended the round, no call is left open
  for await (const event of round) late.push(event)
  yield* endNested(conversation, nested, late)
  for (const result of results) yield { ...result, ...handOff.by }
  if (final) return yield* stop(conversation, final, history.length)
  if (signal.aborted) return yield* finish(conversation, 'aborted')
  return true
}

/** Ends the calls of sub-agents; what came too late to be acted on has most of their results. */
function* endNested(
  conversation: Conversation,
  nested: OpenCalls,
  late: readonly RunEvent[],
): Generator<ClientEvent> {
  for (const event of late) {
    if (event.type !== 'report') continue
    const told = event.event
    if (told.type === 'usage') conversation.countUsage(told.model, told, told.purpose)
    if (told.type === 'tool-result' && nested.end(told)) yield told
  }
  yield* nested.rest()
}

/** Why calls must not run, by id: what the last one shows may concern the first. */
function refuse(watch: Watch, calls: readonly CallPart[], by: { agent?: string }) {
  const verdicts = watch.decideRound(
    calls.map(({ id, name, args }) => ({ type: 'tool-call', id, name, args, ...by })),
  )
  return new Map(
    calls.flatMap(({ id }, at) => {
      const verdict = verdicts[at]
      return verdict && 'reason' in verdict ? [[id, toRefusal(verdict.reason)] as const] : []
    }),
  )
}

/** The result of a call that should not have been made: whether it was, and why there is no answer. */
const withheld = (result: ResultPart, reason: string, isRun: boolean): ResultPart => ({
  ...result,
  output: isRun ? toWithheld(reason) : toRefusal(reason),
  isError: true,
  ...(isRun && { isWithheld: true }),
})

/** The calls of sub-agents that the client knows of, and that have not ended. */
function createOpenCalls() {
  const open = new Map<string, Result>()
  const keyOf = (agent: string, id: string) => JSON.stringify([agent, id])
  return {
    see(event: ClientEvent & { agent: string }) {
      if (event.type === 'tool-result') open.delete(keyOf(event.agent, event.id))
      if (event.type !== 'tool-call') return
      const { agent, id, name } = event
      open.set(keyOf(agent, id), { ...LOST, agent, id, name })
    },
    /** Whether the call was open until this result. */
    end: ({ agent, id }: { agent: string; id: string }) => open.delete(keyOf(agent, id)),
    /** Results for calls whose own was never reported. */
    rest: (): Result[] => [...open.values()],
  }
}

type OpenCalls = ReturnType<typeof createOpenCalls>
type Result = ClientEvent & { type: 'tool-result' }

const LOST = { type: 'tool-result', output: UNKNOWN, isError: true, outcome: 'stopped' } as const

/** Tells events of a sub-agent apart that its own guard has told of the moment before. */
function createWarned(): (event: ClientEvent & { agent: string }) => boolean {
  const warned = new Set<string>()
  return ({ type, agent }) => {
    if (type !== 'loop_warning') return warned.delete(agent)
    warned.add(agent)
    return true
  }
}

/** A loop of a sub-agent: its caller's model can do something about it. */
function* warnOf(watch: Watch, finding: Finding): Generator<ClientEvent> {
  const { agent, certainty, detail, advice } = finding
  watch.advise(`${agent} is ${STATES[certainty]}: ${detail}. ${advice}`)
  yield { type: 'loop_warning', finding }
}

function append(
  { guard, history }: Conversation,
  calls: readonly CallPart[],
  results: readonly ResultPart[],
  first: number,
): void {
  const content = calls.flatMap(({ id }) => results.find((one) => one.id === id) ?? [])
  const last = Math.max(first, guard.events - 1)
  history.append({ message: { role: 'tool', content }, first, last })
}
