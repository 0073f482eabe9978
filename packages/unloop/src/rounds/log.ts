import type { AgentEvent } from '../event.js'
import { toInert } from '../intake/inert.js'
import { isRecord } from '../options.js'
import { readAnswer } from '../reading/answer.js'
import { fromJsonText, keyOf } from '../reading/call-key.js'
import {
  canWait,
  commandIn,
  type Effect,
  effectOf,
  isMeasuring,
  isScript,
  isSpeaking,
  isView,
  secondsIn,
  wordsInName,
} from '../reading/effect.js'
import type { Seed } from '../reading/hash.js'
import { identifying, ordinalIn, targetOf } from '../reading/identifying.js'
import { createLineSet, type LineSet } from '../reading/line-set.js'
import { requestIn } from '../reading/prose.js'
import { redact } from '../reading/redact.js'
import { noPatience, type Patience, stemOf } from '../reading/request.js'
import { showCall } from '../reading/sample.js'
import { addTo, hashOf, hasWord, type WordSet, wordsOf } from '../reading/words.js'
import { type Speech, say, startSpeech } from '../speech/speech.js'
import type { ToolOptions } from '../tool-options.js'
import type { Errand } from './errands.js'
import { inverseOf, UNKNOWN } from './inverse.js'
import { countLook, type Looks } from './looks.js'
import { isNote } from './notes.js'
import {
  hasNewFigures,
  isElsewhere,
  isNewChange,
  isNewError,
  isNews,
  isRecovery,
  isStale,
  undoneBy,
} from './progress.js'
import { type Call, isSameWording, PROVEN, type Round, toRound } from './round.js'

/** What one agent did in this prompt, in bounded memory. */
export interface AgentLog {
  /** the current message, or the last one */
  speech: Speech
  /** the completed rounds, oldest first, and how many older ones were dropped */
  rounds: Round[]
  dropped: number
  /** calls of the last round, which is open until all of them are answered */
  calls: Call[]
  isOpen: boolean
  /** earlier calls without an answer, as long as no answer has come at all */
  waiting: Call[]
  /** the first call as a person would write it, created on demand, and the first words of its answer */
  sample: string
  asked: { name: string; args: unknown } | undefined
  said: string
  /** number of the first call */
  firstCall: number
  /** when the first call was made, and when the round before it ended, in milliseconds; 0 if unknown */
  askedAt: number
  endedAt: number
  /** the round that the last event completed */
  completed: Round | undefined
  /** results have come: a host that only sees the model has none */
  hasResults: boolean
  /** announced turns, calls that came after an answer, and whether a turn began since the last call */
  turns: number
  resumed: number
  turned: boolean
  /** the model has said something since the last answer */
  spoke: boolean
  /** where a retry returns to */
  mark: { rounds: number; run: number; runStart: number; lastKey: number }
  /** calls in a row with exactly the same arguments, and their key */
  run: number
  lastKey: number
  runStart: number
  /** rounds that a retry removed: made again, they do not count as repeats */
  undone: Round[]
  /** lines seen so far */
  seen: LineSet | undefined
  /** how often each round was made, by its key; goes back further than the rounds */
  looks: Looks
  /** achievements of sub-agents, and their errands: one list for all agents */
  delegated: number
  errands: Errand[]
  /** the model's name and how much repetition the person asked for, if the prompt says so */
  model: string
  patience: Patience
}

// three laps of the longest cycle
const MAX_ROUNDS = 120
// a response with more calls than this is running away; then they count one by one
const MAX_CALLS = 8
// how far back requests are compared
export const MAX_REQUESTS = 20
// characters of each argument whose words are compared with the answer: as many as possible for a call that
// prints its arguments, the question for one that asks, and the subject for one that changes something
const SPOKEN = 1500
const ASKED = 200
const CHANGED = 60

export const startLog = (): AgentLog => ({
  // fields that every delta reads come first, to be close together in memory
  speech: startSpeech(),
  isOpen: false,
  turned: true,
  spoke: false,
  completed: undefined,
  rounds: [],
  dropped: 0,
  calls: [],
  waiting: [],
  sample: '',
  asked: undefined,
  said: '',
  firstCall: -1,
  askedAt: 0,
  endedAt: 0,
  hasResults: false,
  turns: 0,
  resumed: 0,
  mark: { rounds: 0, run: 0, runStart: -1, lastKey: -1 },
  run: 0,
  lastKey: -1,
  runStart: -1,
  undone: [],
  seen: undefined,
  looks: new Map(),
  delegated: 0,
  errands: [],
  model: '',
  patience: noPatience(),
})

/** What the guard knows besides the events: its seed, and the settings for tools. */
export interface Known {
  seed: Seed
  tools: Record<string, ToolOptions>
  /** some detector reads answers; if none does, only calls are counted */
  answers: boolean
}

type Delta = Extract<AgentEvent, { type: 'text' | 'reasoning' }>

/** Folds a delta into the log. */
export function foldDelta(log: AgentLog, { type, text }: Delta, number: number): void {
  log.completed = undefined
  // if turns are not announced, text after an answer starts one
  if (!log.isOpen && !hasTurns(log)) log.turned = true
  if (type !== 'text') return
  log.spoke = true
  say(log.speech, text, number)
}

/** Folds an event into the log. */
export function fold(log: AgentLog, event: AgentEvent, number: number, known: Known): void {
  log.completed = undefined
  switch (event.type) {
    case 'tool-call':
      log.speech.isOver = true
      return addCall(log, event, number, known)
    case 'tool-result':
      return known.answers ? addResult(log, event, number) : undefined
    case 'text':
    case 'reasoning':
      return foldDelta(log, event, number)
    case 'prompt':
      log.speech.isOver = true
      return
    case 'turn-start':
    case 'turn-end':
      log.speech.isOver = true
      if (!log.turned || event.type === 'turn-start') log.turns++
      if (log.isOpen && event.type === 'turn-start' && !isUnanswered(log)) complete(log, number)
      if (log.isOpen) log.turned ||= event.type === 'turn-start'
      else turnOver(log)
      return
    case 'retry':
      log.speech.isOver = true
      return takeBack(log)
  }
}

/** Whether answers are expected and none has come: some formats list each call of a round as its own turn. */
const isUnanswered = ({ hasResults, calls }: AgentLog) =>
  hasResults && calls.every(({ answer }) => answer === undefined)

/** The first words of the last answer, without secrets. */
export const saidOf = ({ said }: AgentLog): string => redact(said).slice(0, MAX_SAID)

const MAX_SAID = 120

/** The first call of the last round as a person would write it. */
export function sampleOf(log: AgentLog): string {
  // they belong to the host, which may have changed them since
  if (log.asked) log.sample = showCall(log.asked.name, toInert(log.asked.args))
  log.asked = undefined
  return log.sample
}

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

function addCall(log: AgentLog, event: CallEvent, number: number, known: Known): void {
  const { name } = event
  const args = fromJsonText(event.args)
  const fullKey = keyOf(name, args, known.seed)
  if (log.lastKey !== fullKey) log.runStart = number
  log.run = log.lastKey === fullKey ? log.run + 1 : 1
  log.lastKey = fullKey
  if (!known.answers) {
    log.firstCall = number
    return
  }
  const tool = Object.hasOwn(known.tools, name) ? known.tools[name] : undefined
  const effect = tool?.effect ?? annotated(tool) ?? effectOf(name, args)
  const shell = commandIn(name, args) !== undefined
  const kept = identifying(args, { effect, shell, ignore: tool?.ignore, identify: tool?.identify })
  // arguments that were not recorded are never the same
  const told = args === undefined ? number : kept
  const key = told === args ? fullKey : keyOf(name, told, known.seed)
  const speaks = isSpeaking(args)
  const echo = wordsOf(name, args, speaks ? SPOKEN : effect === 'changes' ? CHANGED : ASKED)
  const target = targetOf(args)
  const waits = effect === 'waits' ? secondsIn(args) : -1
  const isPatient = tool?.effect === 'waits'
  const isChanging = effect === 'changes'
  const command = isChanging ? commandIn(name, args) : undefined
  const inverse = isChanging ? inverseOf(name, args, command) : UNKNOWN
  const note = isChanging && isNote(name, args, command)
  const isAsked = log.patience.times > 0 || log.patience.until
  // from here on nothing is read, so nothing can fail halfway
  joinRound(log, number, key)
  if (log.calls.length === 0) {
    log.asked = { name, args }
    log.askedAt = event.at ?? 0
  }
  // field by field, because spreading takes several times as long
  log.calls.push({
    id: event.id ?? '',
    key,
    exact: fullKey,
    name,
    effect,
    speaks,
    target,
    named: isAsked && isNamedIn(log.patience, name, args, echo),
    awaitable: isAsked && canWait(name, args, effect),
    does: inverse.does,
    undoes: inverse.undoes,
    note,
    measures: effect === 'unknown' && isMeasuring(name, args),
    waits,
    isPatient,
    views: isView(name, args, effect),
    script: isScript(args),
    ordinal: ordinalIn(args),
    request: requestIn(args),
    reply: [],
    echo,
    answer: undefined,
  })
}

/** Whether the person's words name what this call is about. */
const isNamedIn = ({ about }: Patience, name: string, args: unknown, echo: WordSet): boolean =>
  about.length > 0 &&
  (about.some((hash) => hasWord(echo, hash)) ||
    [name, ...(isRecord(args) ? Object.keys(args).slice(0, MAX_NAMES) : [])].some((each) =>
      wordsInName(each).some(
        (word) => about.includes(hashOf(word)) || about.includes(hashOf(stemOf(word))),
      ),
    ))

const MAX_NAMES = 24

const annotated = (tool: ToolOptions | undefined): Effect | undefined => {
  const readOnly = tool?.annotations?.readOnlyHint
  if (readOnly !== undefined) return readOnly ? 'reads' : 'changes'
}

/** Decides whether a call belongs to the current round or starts the next. */
function joinRound(log: AgentLog, number: number, key: number): void {
  const full = log.calls.length >= MAX_CALLS
  if (!log.isOpen) log.resumed++
  if (log.isOpen) {
    // results that never came, or a response that is running away
    const answering = log.calls.some(({ answer }) => answer !== undefined)
    const parallel = log.hasResults ? !answering : log.turns > 0 && !log.turned
    // the same call in the next turn is a repeat, because it got no answer
    const isAgain = log.turned && log.calls.some((call) => call.key === key)
    if (parallel && !full && !isAgain) {
      if (log.hasResults) log.turned = false
      return
    }
    if (!log.hasResults) log.waiting = [...log.waiting, ...log.calls].slice(-MAX_CALLS)
    complete(log, number - 1)
  } else if (log.calls.length > 0 && !log.turned && !full && hasTurns(log)) {
    // some transcripts list each call of one response with its answer
    log.rounds.pop()
    log.isOpen = true
    return
  }
  log.calls = []
  log.isOpen = true
  log.turned = false
  log.firstCall = number
}

/** Whether turns are announced regularly, not just now and then: a few of them may contain many calls. */
const hasTurns = ({ turns, resumed }: AgentLog) =>
  turns > 0 && resumed <= (turns > 1 ? MAX_CALLS : 2) * turns

function addResult(log: AgentLog, event: ResultEvent, number: number): void {
  if (!log.hasResults) joinUnanswered(log)
  log.hasResults = true
  const call = findCall(log.calls, event)
  if (!call) return
  if (!log.isOpen) {
    // it is late: the next turn has begun
    const early = log.rounds.pop()
    if (early) log.undone.push(early)
    log.isOpen = true
  }
  log.seen ??= createLineSet()
  const { answer, sample, reply } = readAnswer(
    event.output,
    event.isError === true,
    call.echo,
    log.seen,
    call.request.length > 0,
  )
  call.answer = answer
  call.reply = reply
  if (call === log.calls[0]) log.said = sample
  call.echo = []
  if (log.calls.length > 1 && !log.calls.every(({ answer }) => answer !== undefined)) return
  complete(log, number, event.at)
  if (log.turns === 0) turnOver(log)
}

/** If no turns are announced, the first answer shows that the calls so far were made together. */
function joinUnanswered(log: AgentLog): void {
  if (log.turns > 0 || !log.isOpen) return
  log.rounds.length = Math.max(0, log.rounds.length - log.waiting.length)
  log.calls = [...log.waiting, ...log.calls]
  log.waiting = []
}

/** The call a result belongs to: by id, else by name, else the first without an answer. */
function findCall(calls: Call[], { id, name }: ResultEvent): Call | undefined {
  const [only] = calls
  if (only && calls.length === 1 && !only.answer && (id === undefined || only.id === id))
    return only
  const waiting = calls.filter(({ answer }) => answer === undefined)
  const known = id === undefined ? undefined : waiting.find((call) => call.id === id)
  if (known) return known
  // an id that matches none of the calls belongs to an unknown call, or to one without an id
  const candidates = id === undefined ? waiting : waiting.filter((call) => call.id === '')
  return candidates.find((call) => name === undefined || call.name === name) ?? candidates[0]
}

/** A retry returns to this point. */
function turnOver(log: AgentLog): void {
  log.turned = true
  const { run, runStart, lastKey } = log
  log.mark = { rounds: log.dropped + log.rounds.length, run, runStart, lastKey }
}

/** The turn's events will be sent again, so its calls do not count. */
function takeBack(log: AgentLog): void {
  const kept = Math.max(0, log.mark.rounds - log.dropped)
  log.undone = [...log.undone, ...log.rounds.splice(kept)].slice(-MAX_CALLS)
  log.calls = []
  log.isOpen = false
  log.turned = true
  log.run = log.mark.run
  log.runStart = log.mark.runStart
  log.lastKey = log.mark.lastKey
}

/** The history was cut at this event, so nothing after it counts. */
export function forgetSince(log: AgentLog, number: number): void {
  log.rounds = log.rounds.filter((round) => round.number < number)
  log.speech = startSpeech()
  log.calls = []
  log.isOpen = false
  log.run = 0
  log.lastKey = -1
  turnOver(log)
}

/** Turns the calls of a round and their answers into its record. */
function complete(log: AgentLog, number: number, at = 0): void {
  const { calls, rounds } = log
  const round = toRound(calls)
  round.number = log.firstCall
  round.end = number
  round.spoke = log.spoke
  log.spoke = false
  if (round.effect === 'reads') hearLook(round, rounds)
  const place = log.undone.findIndex(({ key }) => key === round.key)
  // the first time only; after that it is a repeat like any other
  const [undone] = place < 0 ? [] : log.undone.splice(place, 1)
  const isMeasured = calls.some(({ measures }) => measures)
  if (isMeasured) round.print = addTo(round.print, number)
  round.looks = undone?.looks ?? countLook(log.looks, round.key)
  round.repeated = round.looks > 1 && rounds.some(({ key }) => key === round.key)
  if (undone) round.fresh = undone.fresh
  round.changed = isNewChange(round, rounds)
  round.newError = isNewError(round, rounds)
  // a measurement tells something each time
  const measures = isMeasured && rounds.at(-1)?.key !== round.key
  const isCounted = measures || round.effect === 'moves'
  const isMeasurement =
    isCounted && !round.error && (round.effect !== 'moves' || isElsewhere(round, rounds))
  round.learned =
    isNews(round) ||
    isMeasurement ||
    isMovingOn(round, rounds) ||
    isRecovery(round, rounds) ||
    hasNewFigures(round, rounds)
  round.waited = waitedIn(log, round, at) || waitedBefore(round, rounds.at(-1))
  round.stale = !isMeasured && isStale(round, rounds)
  const taken = undoneBy(round, rounds)
  if (taken) {
    for (const vain of [taken, round]) Object.assign(vain, { changed: false, learned: false })
  }
  rounds.push(round)
  // words take space, and requests are compared with recent ones only
  const older = rounds.at(-1 - MAX_REQUESTS)
  if (older && older.request.length > 0) older.request = older.reply = []
  if (rounds.length > MAX_ROUNDS) {
    rounds.shift()
    log.dropped++
  }
  log.isOpen = false
  log.completed = round
}

/** A look between waits whose numbers are new: what the agent waits for moves on. */
function isMovingOn({ key, effect, amounts, error }: Round, rounds: readonly Round[]): boolean {
  if (effect === 'changes' || error || amounts === 0) return false
  const last = rounds.at(-1)
  if (!last || last.waited === 0) return false
  const before = rounds.filter((round) => round.key === key)
  return before.length > 0 && !before.some((round) => round.amounts === amounts)
}

/** A look that is made again after each wait is part of it. */
const waitedBefore = ({ looks, effect }: Round, before: Round | undefined): number =>
  looks > 1 && effect !== 'changes' && before?.effect === 'waits' ? Math.max(0, before.waited) : 0

/** Decides whether a look that shows an error failed, or shows one. */
function hearLook(round: Round, rounds: readonly Round[]): void {
  // a search that fails silently has found nothing
  if (round.error && round.newsWords === 0) {
    round.error = false
    round.nothing = true
  }
  // several lines, most of them new, are what was looked at
  if (round.error || !round.begins || (round.lines > 1 && 2 * round.fresh > round.lines)) return
  // the same words for something else are not what was looked at: the tool speaks
  const twins = rounds.filter(
    (other) => other.begins && other.key !== round.key && isSameWording(other, round),
  )
  if (twins.length > 0) for (const one of [...twins, round]) one.error = true
}

/** How many seconds a round waited for something else: as measured if possible, else as stated; -1 if unknown. */
function waitedIn(log: AgentLog, { effect, pending, awaitable }: Round, at: number): number {
  const { calls, askedAt, endedAt, patience } = log
  log.endedAt = at
  const saysSo = effect === 'waits' || pending
  // what the person waits for may take its time without a word
  const isAwaited = patience.until && awaitable
  if (!saysSo && !isAwaited) return 0
  const pause = endedAt > 0 ? (askedAt - endedAt) / 1000 : 0
  const paused = pause >= PAUSE ? pause : 0
  const isMeasured = askedAt > 0 && at >= askedAt
  const told = secondsSaid(log.said)
  const lasted = isMeasured
    ? Math.max((at - askedAt) / 1000, Math.min(MAX_TOLD, told))
    : Math.max(told, Math.min(MAX_TOLD, ...calls.map(({ waits }) => waits)))
  const isTold = calls.some(({ isPatient }) => isPatient)
  const waited = Math.max(lasted + paused, isTold ? 1 : -1)
  if (!saysSo && waited < PROVEN) return 0
  return waited < 1 && waited > -1 ? 0 : waited
}

/** How long it took, if the answer says so: `Wall time: 5.0 seconds`, `no new output after 30 seconds`; otherwise -1. */
function secondsSaid(said: string): number {
  const [, time, unit = ''] = LASTED.exec(said) ?? []
  return time === undefined
    ? -1
    : Number(time) * (unit.startsWith('m') ? (unit === 'ms' ? 0.001 : 60) : 1)
}

const LASTED =
  /\b(?:wall time|after|waited|waiting|elapsed|running for|timed out after):?\s(?:for )?(\d{1,6}(?:\.\d{1,6})?) ?(ms|s|m)/i

// seconds: longer than most models take to make the next call
const PAUSE = 5
// a wait that is only stated counts for at most this long; an answer without times is believed, for its tool has no other way to say it
const MAX_TOLD = 29
