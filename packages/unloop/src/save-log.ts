import { toBytes, toText } from './base64.js'
import type { Effect } from './effect.js'
import { type AgentLog, sampleOf } from './log.js'
import type { Round } from './round.js'

/** A log as plain JSON: a round is a list of values, known lines are a string. */
export interface SavedLog
  extends Omit<AgentLog, 'rounds' | 'undone' | 'seen' | 'looks' | 'completed' | 'asked'> {
  rounds: SavedRound[]
  undone: SavedRound[]
  seen: [now: string, before: string, count: number]
  looks: string
}

type SavedRound = [
  number: number,
  end: number,
  key: string,
  name: string,
  effect: Effect,
  counts: [
    calls: number,
    lines: number,
    fresh: number,
    size: number,
    newsWords: number,
    looks: number,
    amounts: number,
  ],
  prints: [print: number, loose: number, unspoken: number, news: number, target: number],
  flags: number,
]

const FLAGS = [
  'answered',
  'error',
  'outage',
  'nothing',
  'pending',
  'echoed',
  'repeated',
  'changed',
  'learned',
  'newError',
] as const

export function saveLog(log: AgentLog): SavedLog {
  sampleOf(log)
  const { rounds, undone, seen, looks, completed: _completed, asked: _asked, ...rest } = log
  return {
    ...JSON.parse(JSON.stringify(rest)),
    rounds: rounds.map(saveRound),
    undone: undone.map(saveRound),
    seen: [toText(seen.now), toText(seen.before), seen.count],
    looks: toText(looks),
  }
}

export function loadLog(saved: SavedLog): AgentLog {
  const { rounds, undone, seen, looks, ...rest } = saved
  const [now, before, count] = seen
  return {
    ...rest,
    rounds: rounds.map(loadRound),
    undone: undone.map(loadRound),
    seen: { now: toBytes(now), before: toBytes(before), count },
    looks: toBytes(looks),
    completed: undefined,
    asked: undefined,
  }
}

function saveRound(round: Round): SavedRound {
  const flags = FLAGS.reduce((bits, name, bit) => bits | (round[name] ? 1 << bit : 0), 0)
  const { number, end, key, name, effect } = round
  const { calls, lines, fresh, size, newsWords, looks, amounts } = round
  const { print, loose, unspoken, news, target } = round
  const counts: SavedRound[5] = [calls, lines, fresh, size, newsWords, looks, amounts]
  return [number, end, key, name, effect, counts, [print, loose, unspoken, news, target], flags]
}

function loadRound([number, end, key, name, effect, counts, prints, bits]: SavedRound): Round {
  const [calls, lines, fresh, size, newsWords, looks, amounts] = counts
  const [print, loose, unspoken, news, target] = prints
  const flags = FLAGS.map((flag, bit) => [flag, (bits & (1 << bit)) !== 0])
  const told: Pick<Round, (typeof FLAGS)[number]> = Object.fromEntries(flags)
  return {
    ...{ number, end, key, name, effect, calls, lines, fresh, size, newsWords, looks, amounts },
    ...{ print, loose, unspoken, news, target },
    ...told,
  }
}
