import type { AgentEvent } from 'unloop'
import { callKey, createGuard, type Guard, type GuardOptions } from 'unloop'
import { type Run, runOf, type Verdict } from 'unloop/host'

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

/** A call of a round, with its answer once it came. */
interface Made {
  key: string
  /** unless it is too long to be kept */
  call?: CallEvent
  answer?: ResultEvent
}

/** What an agent did in its last round, and in the current one so far. */
export interface Rounds {
  last: Made[]
  current: Made[]
  /** calls of the current round that were refused because the whole round repeats */
  refused: string[]
}

export const startRounds = (): Rounds => ({ last: [], current: [], refused: [] })

// larger ones are not looked ahead at
const MAX_CALLS = 8
const MAX_CHARACTERS = 4000

/** Notes a call that may run. */
export function addCall({ current }: Rounds, call: CallEvent): void {
  if (current.length > MAX_CALLS) return
  current.push({ key: keyOf(call), ...(isShort(call) && { call }) })
}

/** Notes the answer to a call. */
export function addAnswer({ current }: Rounds, answer: ResultEvent): void {
  const made = current.find(({ call }) => call?.id === answer.id)
  if (made && isShort(answer)) made.answer = answer
}

/** Notes that all calls of the round were answered. */
export function endRound(rounds: Rounds): void {
  if (rounds.current.length === 0) return
  Object.assign(rounds, { last: rounds.current, current: [], refused: [] })
}

/**
 * The verdict on a call if the rest of its round follows and gets the same answers as last time. Hooks tell of the calls of a parallel
 * round one by one, and what repeats is the round: without looking ahead, it would run once more. A copy of the guard is asked, and the
 * guard itself is told what it found.
 */
export function repeatsRound(
  { last, current, refused }: Rounds,
  guard: Guard,
  options: GuardOptions,
  speaker: Run,
  agent: string | undefined,
  call: CallEvent,
): Verdict | undefined {
  const key = keyOf(call)
  const before = new Map(last.map((made) => [made.key, made]))
  if (before.size < 2 || before.size > MAX_CALLS || !before.has(key)) return
  const made = current.map((one) => one.key)
  if (made.length > 0 && !made.every((one) => before.has(one))) return
  const rest = [...before].filter(([one]) => one === key || !made.includes(one))
  if (!rest.every(([, { call, answer }]) => call && answer)) return
  const copy = runOf(createGuard({ ...options, onFault: () => {} }, guard.snapshot()), 'hook')
  const run = agent === undefined ? copy : copy.within(agent)
  const ahead = rest.map(([one, { call, answer }]) => ({
    call: { ...(call as CallEvent), id: `ahead ${one}` },
    answer: { ...(answer as ResultEvent), id: `ahead ${one}` },
  }))
  const verdicts = [
    ...run.decideRound(ahead.map((one) => one.call)),
    ...ahead.map((one) => run.decide(one.answer)),
  ]
  const verdict = verdicts.find(({ type }) => type === 'deny' || type === 'stop')
  if (verdict?.type !== 'deny' && verdict?.type !== 'stop') return
  if (refused.includes(key)) {
    // the model has read the refusals, and makes the round again: so that this counts again
    refused.length = 0
    speaker.decide({ type: 'usage' })
  }
  refused.push(key)
  const told = speaker.report(verdict.finding)
  // the refusal says it
  speaker.takeAdvice()
  const { reason, finding } = verdict
  return told.type === 'stop' ? told : { type: 'deny', reason, finding }
}

const keyOf = ({ name, args }: CallEvent) => callKey(name, args)

const isShort = (event: object) => JSON.stringify(event).length <= MAX_CHARACTERS
