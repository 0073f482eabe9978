import type { DetectorReport, Pressure } from '../detector.js'
import { shorten } from '../reading/sample.js'
import type { AgentLog } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import { isProgress, isWaiting, toPressure } from '../rounds/rounds.js'
import {
  alike,
  isAtLength,
  isFirstLook,
  isSameOutcome,
  isWithoutCalls,
  type Messages,
  roundsBetween,
  type Said,
} from './messages.js'

/** How often the same message is a reason for advice, and how often it is proof. */
interface Limits {
  likely: number
  limit: number
}

// how alike two messages are that only differ in a few words
const LIKENESS = 0.7
// how often one message among the last twelve is too often, whatever is done
const REGARDLESS = 8

/** Reports a message that was said too often for what was achieved in between. */
export function judgeMessages(
  messages: Messages,
  said: Said,
  log: AgentLog,
  limits: Limits,
  what: 'message' | 'thought',
  text: string,
): DetectorReport | undefined {
  const { row, likely, limit, kind } = nearest(messages, said, log, limits)
  const { last } = messages
  const report = (
    name: string,
    rounds: readonly Said[],
    isProof: boolean,
    detail: string,
  ): DetectorReport => ({
    kind: `${name}-${what}`,
    certainty: isProof ? 'certain' : 'likely',
    detail,
    identity: `${said.hash}`,
    count: rounds.length,
    period: Math.round((said.number - (rounds[0]?.number ?? 0)) / Math.max(1, rounds.length - 1)),
    firstEvent: rounds[0]?.number ?? 0,
    sample: shorten(text.trim()),
  })
  const excuse = row.length < likely ? FEW : excuseFor(row, log)
  if (excuse === WAITS || excuse === NEWS) return
  if (excuse !== undefined) {
    // 860 native sessions never repeat one word for word; of labeled honest runs, a few do up to six times
    const again = last.filter(
      (one) => isAtLength(one) && last.some((other) => other !== one && other.hash === one.hash),
    )
    if (again.at(-1) === said && again.length >= spokenLimit(log, 2 * limits.limit - 1))
      return report(
        'repeated',
        again,
        again.length > spokenLimit(log, 2 * limits.limit),
        `of the last ${last.length} ${what}s, ${again.length} were word for word the same as another one`,
      )
    if (excuse === FEW) return what === 'message' ? judgeTalk(messages, log, text) : undefined
    if (!isStuckOn(messages, said)) return
  }
  const isProof = row.length >= limit && (!isWithoutCalls(row) || isStale(row))
  const isExact = kind === 'same' && row.every(({ figures }) => figures === said.figures)
  const likeThis = isExact ? 'the same' : 'nearly the same'
  const amount = roundsBetween(log, row).some(isProgress) ? 'little' : 'nothing'
  return report(
    kind,
    row,
    isProof && !excuse,
    `${likeThis} ${what} appeared ${row.length} times ${excuse ? `among the last ${last.length}` : `with ${amount} new in between`}`,
  )
}

/** Reports an agent that talks on and on without a call, though nobody answers. */
function judgeTalk(
  { last, talk, talkSince }: Messages,
  log: AgentLog,
  text: string,
): DetectorReport | undefined {
  // an agent that has worked before has something to do; of others, the calls may just not be recorded
  const limit = log.dropped + log.rounds.length > 0 ? TALK : Infinity
  // from a stock of words that was used up
  const isStale = talk > last.length && last.filter(({ tells }) => tells).length < FEW_NEWS
  const likely = limit / 2
  if (talk < likely && !isStale) return
  return {
    kind: 'only-talk',
    certainty: talk < limit && !isStale ? 'likely' : 'certain',
    detail: `${talk} messages came in a row without a call${isStale ? ', and the last ones said nothing new' : ''}`,
    identity: 'only-talk',
    count: talk,
    period: 1,
    firstEvent: talkSince,
    sample: shorten(text.trim()),
    advice: TALK_ADVICE,
  }
}

// guesses at a person's patience: no recorded run talks that long, and no limit spares more
const TALK = 24
// of the last twelve messages
const FEW_NEWS = 3

const TALK_ADVICE =
  'You have been writing message after message, but done nothing. Take the next step now, or stop and say what you need.'

/** Whether the agent says hardly anything else, whatever it does. */
const isStuckOn = ({ last }: Messages, said: Said) =>
  said.words >= 4 && last.filter(({ hash }) => hash === said.hash).length >= REGARDLESS

export function messagePressure(messages: Messages, log: AgentLog, limits: Limits): Pressure {
  const said = messages.last.at(-1)
  if (!said) return toPressure(0, limits.limit)
  const { row, likely, limit } = nearest(messages, said, log, limits)
  const excuse = excuseFor(row, log)
  if (row.length >= likely) return toPressure(row.length, limit, excuse)
  return { ...toPressure(row.length, likely, excuse), certainty: 'likely' }
}

function nearest(messages: Messages, said: Said, log: AgentLog, limits: Limits) {
  // an agent that only talks may vary its words
  const near = alike(messages.last, said, 0.6 * LIKENESS)
  const silent = near.filter(({ rounds }) => rounds === said.rounds)
  const like = near.length > 1 ? alike(near, said, LIKENESS) : near
  const same = like.filter(({ hash }) => hash === said.hash)
  const rows = [
    { kind: 'same', row: same, likely: limits.likely, limit: limits.limit },
    // other words may say something else, so one more is needed
    { kind: 'alike', row: like, likely: limits.likely + 1, limit: limits.limit + 1 },
    // but not if nothing is done at all
    { kind: 'alike', row: silent, likely: limits.likely, limit: limits.limit + 2 },
  ].map(({ likely, limit, ...rest }) => ({
    ...rest,
    likely: spokenLimit(log, likely),
    limit: spokenLimit(log, limit),
  }))
  return rows.reduce((best, next) => (farness(next) > farness(best) ? next : best))
}

/** Whether half of the messages after the first said nothing that was not said before. */
const isStale = (row: readonly Said[]) =>
  2 * row.filter(({ tells }) => !tells).length >= row.length - 1

/** A limit, or what the person asked for if that is more and they want to hear it. */
const spokenLimit = ({ patience: { times, says } }: AgentLog, limit: number) =>
  says ? Math.max(limit, times + 1) : limit

/** A program that goes one step on, as in a game; scrolling shows the same page. */
const isStep = ({ effect, name }: Round) =>
  effect === 'moves' && /bash|shell|exec|terminal|command/i.test(name)

const WAITS = 'it is waiting for something'
const NEWS = 'each came with something new'
const FEW = 'there are few of them'

/** How far along a row is: 1 is enough for advice, 2 for proof. */
const farness = ({
  row,
  likely,
  limit,
}: {
  row: readonly Said[]
  likely: number
  limit: number
}) => (row.length < likely ? row.length / likely : 1 + Math.min(1, row.length / limit))

/** Why a repeat is fine: words may recur while the work moves on. */
function excuseFor(row: readonly Said[], log: AgentLog): string | undefined {
  if (isWithoutCalls(row) || isSameOutcome(row)) return
  const between = roundsBetween(log, row)
  // other detectors decide how long a wait may take
  if (between.every((round) => isWaiting(round) || round.outage || isStep(round))) return WAITS
  // an agent working through a list may say so at each item
  if (between.filter((round) => isFirstLook(round) && round.learned).length >= row.length - 1)
    return NEWS
  const isLong = row.every(isAtLength)
  const looks = between.filter((round) => isFirstLook(round) && !(isLong && round.nothing))
  if (looks.length >= row.length - 1) return 'each came with a first look at something new'
  const progress = between.filter(isProgress).length
  return progress > Math.max(1, row.length / 3)
    ? `${progress} rounds brought something new in between`
    : undefined
}
