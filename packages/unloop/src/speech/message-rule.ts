import type { DetectorReport, Pressure } from '../detector.js'
import { shorten } from '../reading/sample.js'
import type { AgentLog } from '../rounds/log.js'
import { isProgress, isWaiting, patientLimit, toPressure } from '../rounds/rounds.js'
import {
  alike,
  isFirstLook,
  isSameOutcome,
  isWithoutCalls,
  type Messages,
  roundsBetween,
  type Said,
} from './messages.js'

interface Limits {
  likelySame: number
  same: number
  likelyAlike: number
  alike: number
  likelyWithoutCalls: number
  withoutCalls: number
  regardless: number
  likeness: number
}

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
  if (row.length < likely) return
  const excuse = excuseFor(row, log)
  if (excuse !== undefined && (excuse === WAITS || !isStuckOn(messages, said, limits))) return
  const likeThis = kind === 'alike' ? 'nearly the same' : 'the same'
  return {
    kind: `${kind}-${what}`,
    certainty: row.length < limit || excuse ? 'likely' : 'certain',
    detail: `${likeThis} ${what} appeared ${row.length} times ${excuse ? `among the last ${messages.last.length}` : 'with nothing achieved in between'}`,
    identity: `${said.hash}`,
    count: row.length,
    period: Math.round((said.number - (row[0]?.number ?? 0)) / Math.max(1, row.length - 1)),
    firstEvent: row[0]?.number ?? 0,
    sample: shorten(text.trim()),
  }
}

/** Whether the agent says hardly anything else, whatever it does. */
const isStuckOn = ({ last }: Messages, said: Said, { regardless }: Limits) =>
  said.words >= 4 && last.filter(({ hash }) => hash === said.hash).length >= regardless

export function messagePressure(messages: Messages, log: AgentLog, limits: Limits): Pressure {
  const said = messages.last.at(-1)
  if (!said) return toPressure(0, limits.same)
  const { row, likely, limit } = nearest(messages, said, log, limits)
  const excuse = excuseFor(row, log)
  if (row.length >= likely) return toPressure(row.length, limit, excuse)
  return { ...toPressure(row.length, likely, excuse), certainty: 'likely' }
}

function nearest(messages: Messages, said: Said, log: AgentLog, limits: Limits) {
  // an agent that only talks may vary its words
  const near = alike(messages.last, said, 0.6 * limits.likeness)
  const silent = near.filter(({ rounds }) => rounds === said.rounds)
  const like = near.length > 1 ? alike(near, said, limits.likeness) : near
  const same = like.filter(({ hash }) => hash === said.hash)
  const rows = [
    { kind: 'same', row: same, likely: limits.likelySame, limit: limits.same },
    { kind: 'alike', row: like, likely: limits.likelyAlike, limit: limits.alike },
    {
      ...{ kind: 'alike', row: silent },
      ...{ likely: limits.likelyWithoutCalls, limit: limits.withoutCalls },
    },
  ].map(({ likely, limit, ...rest }) => ({
    ...rest,
    likely: patientLimit(log, likely),
    limit: patientLimit(log, limit),
  }))
  return rows.reduce((best, next) => (farness(next) > farness(best) ? next : best))
}

const WAITS = 'it is waiting for something'

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
  if (between.every((round) => isWaiting(round) || round.outage)) return WAITS
  // an agent working through a list may say so at each item
  if (between.filter(isFirstLook).length >= row.length - 1)
    return 'each came with a first look at something new'
  const progress = between.filter(isProgress).length
  return progress > Math.max(1, row.length / 3)
    ? `${progress} rounds brought something new in between`
    : undefined
}
