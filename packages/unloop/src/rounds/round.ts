import type { Answer } from '../reading/answer.js'
import { KEYS } from '../reading/call-key.js'
import { type Effect, strongest } from '../reading/effect.js'
import type { WordSet } from '../reading/words.js'
import type { Inverse } from './inverse.js'

/** One call of the round that is going on. */
export interface Call {
  /** the provider's id; '' where it gave none */
  id: string
  key: number
  name: string
  effect: Effect
  speaks: boolean
  target: number
  does: number
  undoes: number
  note: boolean
  /** times are what it is made for */
  measures: boolean
  /** how many seconds it says it will wait; -1 if it does not say */
  waits: number
  /** the host says that this tool waits */
  isPatient: boolean
  /** its own words, until it is answered */
  echo: WordSet
  answer: Answer | undefined
}

/** What a round brought that was not there before. */
interface Progress {
  /** something was changed that nobody changed before */
  changed: boolean
  /** something was learned that nobody knew before */
  learned: boolean
  /** an error or a miss of a kind that nobody saw before */
  newError: boolean
}

/** Calls that were made together and what came of them, folded once for every detector. */
export interface Round extends Answer, Progress, Inverse {
  /** numbers of the first call's event and of the event that completed it */
  number: number
  end: number
  /** the same for the same calls, in any order, however often each */
  key: number
  /** the keys of its calls, where there are several */
  parts: readonly number[]
  name: string
  calls: number
  effect: Effect
  answered: boolean
  /** it only writes what the agent keeps for itself: notes, a plan */
  note: boolean
  /** the model said something before it */
  spoke: boolean
  /** how often the same calls were made, this time included, as far as is known */
  looks: number
  /** they are among the rounds that are kept */
  repeated: boolean
  /** seconds for which it let something else go on; 0 if it did not wait, -1 for a wait that nobody measured and that names no time */
  waited: number
  /** what it is about: a hash of the path or address in its arguments, 0 for none */
  target: number
}

/** The record of calls that were made together, with what is known of them alone. */
export const toRound = (calls: readonly Call[]): Round =>
  calls.length === 1 ? ofOneCall(calls[0] as Call) : ofManyCalls(calls)

// field by field: a copy by spreading takes six times as long, and there is one for every call
function ofOneCall(call: Call): Round {
  const { key, name, effect, speaks, target, answer = NO_ANSWER } = call
  const { print, loose, unspoken, news, newsWords, lines, fresh, size, words, amounts } = answer
  return {
    number: 0,
    end: 0,
    key,
    parts: NO_PARTS,
    name,
    calls: 1,
    effect,
    answered: answer !== NO_ANSWER,
    print,
    loose,
    unspoken,
    news,
    newsWords,
    lines,
    fresh,
    size,
    words,
    amounts,
    error: answer.error,
    outage: answer.outage,
    // it says so, or it should say something and does not
    nothing: answer.nothing && (!answer.silent || effect === 'reads' || effect === 'waits'),
    pending: answer.pending,
    echoed: answer.echoed && speaks,
    errorName: answer.errorName,
    accepted: answer.accepted,
    verdict: answer.verdict,
    silent: answer.silent,
    screen: answer.screen,
    note: call.note,
    does: call.does,
    undoes: call.undoes,
    spoke: false,
    looks: 0,
    repeated: false,
    changed: false,
    learned: false,
    newError: false,
    waited: 0,
    target,
  }
}

const NO_PARTS: readonly number[] = []

const NO_ANSWER: Answer = {
  ...{ print: 0, loose: 0, unspoken: 0, news: 0, newsWords: 0 },
  ...{ lines: 0, fresh: 0, size: 0, words: 0, amounts: 0 },
  ...{ error: false, outage: false, echoed: false, nothing: false, pending: false },
  ...{ errorName: 0, accepted: false, verdict: false, silent: false, screen: 0 },
}

/** A round of which nothing is known; a snapshot relies on the order of its fields. */
export const EMPTY_ROUND: Readonly<Round> = ofOneCall({
  id: '',
  key: 0,
  name: '',
  effect: 'unknown',
  speaks: false,
  target: 0,
  does: 0,
  undoes: 0,
  note: false,
  measures: false,
  waits: -1,
  isPatient: false,
  echo: [],
  answer: undefined,
})

/** Several calls in one: the same calls with the same answers give the same record, whatever the order. */
function ofManyCalls(calls: readonly Call[]): Round {
  const unique = new Map(calls.map((call) => [call.key, ofOneCall(call)]))
  const parts = [...unique.values()]
  const answered = parts.filter(({ answered }) => answered)
  const [first = ofOneCall(calls[0] as Call)] = parts
  const round: Round = { ...first, calls: calls.length }
  if (parts.length > 1) round.parts = [...unique.keys()]
  for (const part of parts.slice(1)) round.key = (round.key + part.key) % KEYS
  for (const part of parts.slice(1)) {
    round.effect = strongest(round.effect, part.effect)
    for (const field of SUMS) round[field] += part[field]
  }
  if (parts.length > 1) {
    for (const field of PRINTS) {
      // which call answered what matters for the whole answer, not for what kind of answer it is
      const prints = parts.map((part) => part[field] + (field === 'print' ? part.key | 0 : 0))
      round[field] = [...new Set(prints)].reduce((sum, print) => sum + (print % 65521) ** 2, 0)
    }
  }
  for (const flag of ALL) round[flag] = answered.length > 0 && answered.every((part) => part[flag])
  for (const flag of ANY) round[flag] = parts.some((part) => part[flag])
  return round
}

const SUMS = ['lines', 'fresh', 'size', 'newsWords', 'amounts'] as const
const PRINTS = ['print', 'loose', 'unspoken', 'news', 'errorName', 'screen'] as const
const ALL = ['error', 'nothing', 'echoed', 'accepted', 'verdict', 'silent', 'note'] as const
const ANY = ['answered', 'outage', 'pending'] as const

/** Whether two failures are of the same kind. */
export const isSameError = (one: Round, other: Round): boolean =>
  (one.errorName !== 0 && one.errorName === other.errorName) ||
  one.loose === other.loose ||
  one.unspoken === other.unspoken ||
  (one.news === other.news && one.newsWords > 3)
