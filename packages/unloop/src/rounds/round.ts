import type { Answer } from '../reading/answer.js'
import { KEYS } from '../reading/call-key.js'
import { type Effect, strongest } from '../reading/effect.js'
import type { WordSet } from '../reading/words.js'
import type { Inverse } from './inverse.js'

/** One call of the current round. */
export interface Call {
  /** the provider's id; '' if it gave none */
  id: string
  key: number
  /** a key of all its arguments, those included that do not count */
  exact: number
  name: string
  effect: Effect
  speaks: boolean
  target: number
  does: number
  undoes: number
  note: boolean
  /** it measures time */
  measures: boolean
  /** how many seconds it says it will wait; -1 if it does not */
  waits: number
  /** the host says that this tool waits */
  isPatient: boolean
  /** it shows one thing, such as a file or a page */
  views: boolean
  /** it brings a program of several lines */
  script: boolean
  /** the only number among its arguments; 0 if there is none, or several */
  ordinal: number
  /** the person's words name it; its answer may change by itself */
  named: boolean
  awaitable: boolean
  /** the words of its request, if it makes one in prose */
  request: WordSet
  /** the words of the answer to it */
  reply: WordSet
  /** its own words, until it is answered */
  echo: WordSet
  answer: Answer | undefined
}

// seconds from which on time has passed; every look takes one
export const PROVEN = 2

/** What is new about a round. */
interface Progress {
  /** it made a new change */
  changed: boolean
  /** it learned something new */
  learned: boolean
  /** it brought an error or a miss of a new kind */
  newError: boolean
  /** it got an answer that was given before, to this call or to several like it */
  stale: boolean
}

/** Calls that were made together with their answers, folded once for all detectors. */
export interface Round extends Answer, Progress, Inverse {
  /** it failed */
  error: boolean
  /** numbers of its first event and of the event that completed it */
  number: number
  end: number
  /** equal for the same calls, in any order and any number */
  key: number
  /** the same for all arguments, those included that do not count */
  exact: number
  /** the keys of its calls, if there are several */
  parts: readonly number[]
  name: string
  calls: number
  effect: Effect
  answered: boolean
  /** it brought a program of several lines */
  script: boolean
  /** the only number among the arguments; 0 if there is none, or several */
  ordinal: number
  /** the person's words name it; its answer may change by itself; only known if the person asked for repetition */
  named: boolean
  awaitable: boolean
  /** the words of its request, if it makes one in prose; empty otherwise */
  request: WordSet
  /** the words of the answer to it */
  reply: WordSet
  /** it only writes the agent's own notes or plan */
  note: boolean
  /** the model said something before it */
  spoke: boolean
  /** how often the same calls were made so far, including this time */
  looks: number
  /** the same calls are among the rounds that are kept */
  repeated: boolean
  /** how many seconds it waited for something else; 0 if it did not wait, -1 for a wait of unknown length */
  waited: number
  /** what it is about: a hash of the path or address in its arguments, or 0 */
  target: number
}

/** The record of calls that were made together, without comparison to other rounds. */
export const toRound = (calls: readonly Call[]): Round =>
  calls.length === 1 ? ofOneCall(calls[0] as Call) : ofManyCalls(calls)

// field by field, because spreading takes six times as long and this runs for every call
function ofOneCall(call: Call): Round {
  const { key, name, effect, target, answer = NO_ANSWER } = call
  const { print, loose, unspoken, news, newsWords, lines, fresh, size, words, amounts } = answer
  const { failed, claims, speaks, begins } = answer
  // what a look shows is content, unless the tool itself speaks
  const error = failed || (effect === 'reads' ? speaks : claims)
  const misses = answer.misses && (!call.views || size < BRIEF)
  return {
    number: 0,
    end: 0,
    key,
    exact: call.exact,
    parts: NO_PARTS,
    name,
    calls: 1,
    effect,
    answered: answer !== NO_ANSWER,
    script: call.script,
    ordinal: call.ordinal,
    named: call.named,
    awaitable: call.awaitable,
    request: call.request,
    reply: call.reply,
    print,
    loose,
    unspoken,
    news,
    newsWords,
    first: answer.first,
    lines,
    fresh,
    novel: answer.novel,
    size,
    words,
    amounts,
    figure: answer.figure,
    masks: answer.masks,
    failed,
    claims,
    speaks,
    begins,
    unusable: answer.unusable,
    misses,
    error,
    outage: answer.outage && (error || begins),
    // it says so, or says nothing where something is expected
    nothing:
      misses || (answer.nothing && (!answer.silent || effect === 'reads' || effect === 'waits')),
    pending: answer.pending,
    echoed: answer.echoed && call.speaks,
    errorName: answer.errorName,
    accepted: answer.accepted && !error,
    verdict: answer.verdict && !error,
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
    stale: false,
    waited: 0,
    target,
  }
}

const NO_PARTS: readonly number[] = []

const NO_ANSWER: Answer = {
  print: 0,
  loose: 0,
  unspoken: 0,
  news: 0,
  newsWords: 0,
  first: 0,
  lines: 0,
  fresh: 0,
  novel: 0,
  size: 0,
  words: 0,
  amounts: 0,
  figure: 0,
  masks: 0,
  failed: false,
  claims: false,
  speaks: false,
  begins: false,
  unusable: false,
  outage: false,
  echoed: false,
  nothing: false,
  misses: false,
  pending: false,
  errorName: 0,
  accepted: false,
  verdict: false,
  silent: false,
  screen: 0,
}

// what a tool says in place of a file or page that it cannot show
const BRIEF = 160

/** A round without content; snapshots rely on the order of its fields. */
export const EMPTY_ROUND: Readonly<Round> = ofOneCall({
  id: '',
  key: 0,
  exact: 0,
  name: '',
  effect: 'unknown',
  speaks: false,
  views: false,
  script: false,
  ordinal: 0,
  named: false,
  awaitable: false,
  request: [],
  reply: [],
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

/** Several calls as one: the same calls with the same answers give the same record, in any order. */
function ofManyCalls(calls: readonly Call[]): Round {
  const unique = new Map(calls.map((call) => [call.key, ofOneCall(call)]))
  const parts = [...unique.values()]
  const answered = parts.filter(({ answered }) => answered)
  const [first = ofOneCall(calls[0] as Call)] = parts
  const round: Round = { ...first, calls: calls.length }
  if (parts.length > 1) round.parts = [...unique.keys()]
  for (const part of parts.slice(1)) {
    round.key = (round.key + part.key) % KEYS
    round.exact = (round.exact + part.exact) % KEYS
  }
  for (const part of parts.slice(1)) {
    round.effect = strongest(round.effect, part.effect)
    for (const field of SUMS) round[field] += part[field]
    round.amounts = (round.amounts + part.amounts) | 0
  }
  if (parts.length > 1) {
    for (const field of PRINTS) {
      // which call got which answer matters for `print`, but not for the other fingerprints
      const prints = parts.map((part) => part[field] + (field === 'print' ? part.key | 0 : 0))
      round[field] = [...new Set(prints)].reduce(
        (sum, print) => (sum + (print % 65521) ** 2) | 0,
        0,
      )
    }
  }
  for (const flag of ALL) round[flag] = answered.length > 0 && answered.every((part) => part[flag])
  for (const flag of ANY) round[flag] = parts.some((part) => part[flag])
  return round
}

const SUMS = ['lines', 'fresh', 'novel', 'size', 'newsWords'] as const
const PRINTS = ['print', 'loose', 'unspoken', 'news', 'errorName', 'screen'] as const
const ALL = [
  'error',
  'failed',
  'claims',
  'speaks',
  'begins',
  'unusable',
  'nothing',
  'misses',
  'echoed',
  'accepted',
  'verdict',
  'silent',
  'note',
  'named',
  'awaitable',
] as const
const ANY = ['answered', 'outage', 'pending'] as const

/** Whether two failures are of the same kind. */
export const isSameError = (one: Round, other: Round): boolean =>
  (one.errorName !== 0 && one.errorName === other.errorName) || isSameWording(one, other)

/** Whether two answers say the same, apart from numbers and the words of their calls. */
export const isSameWording = (one: Round, other: Round): boolean =>
  one.loose === other.loose ||
  one.unspoken === other.unspoken ||
  (one.news === other.news && one.newsWords > 3)
