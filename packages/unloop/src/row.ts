import { type Detector, type DetectorFactory, defineDetector } from './detector.js'
import type { DetectorOptions } from './options.js'
import { type AgentLog, sampleOf } from './rounds/log.js'
import type { Round } from './rounds/round.js'
import { isAchievement, isFailure, toPressure } from './rounds/rounds.js'

/** Rounds that belong together, and how many are too many. */
export interface Row {
  kind: string
  /** oldest first */
  rounds: readonly Round[]
  /** how many are proof, and how many are enough for advice, if fewer */
  limit: number
  likely?: number
  /** what they have in common, in words */
  detail(): string
  /** how many there are, if not the number of rounds */
  count?: number
  period?: number
  /** why so many are allowed */
  excuse?: string
  advice?: string
  /** name of this loop; the last call by default */
  identity?: string
}

/** A detector for calls as its file declares it: the rows it watches. */
export interface RowDefinition<O extends DetectorOptions> {
  name: string
  finds: string
  advice: string
  /** `stable` by default */
  stage?: Detector['stage']
  options: O
  /** whether the call that was just made can be judged before its answer */
  early?(log: AgentLog): boolean
  rows(log: AgentLog, options: O): Row[]
}

/** Declares a detector that finds a loop when one of its rows is too long. */
export function defineRowDetector<O extends DetectorOptions>(
  definition: RowDefinition<O>,
): DetectorFactory<O> {
  const { name, finds, advice, stage = 'stable', options, early, rows } = definition
  return defineDetector({
    name,
    finds,
    advice,
    stage,
    plane: 'calls',
    on: ['tool-call', 'tool-result', 'turn-start'],
    rounds: !early,
    options,
    start: () => ({}),

    observe(_state, event, context) {
      const { log } = context
      const round = log.completed
      if (round ? endsRows(round) : event.type !== 'tool-call' || !early?.(log)) return
      const row = nearest(rows(log, context.options))
      if (!row || countOf(row) < leastOf(row)) return
      const sample = sampleOf(log)
      return {
        kind: row.kind,
        certainty: isCertain(row) ? 'certain' : 'likely',
        detail: row.detail(),
        identity: row.identity ?? sample,
        count: countOf(row),
        period: row.period ?? 1,
        firstEvent: row.rounds[0]?.number ?? log.firstCall,
        sample,
        tool: log.calls[0]?.name ?? '',
        ...(log.calls.length > 1 && { tools: log.calls.map(({ name }) => name) }),
        keys: [...new Set(row.rounds.flatMap(({ key, parts }) => [key, ...parts]))],
        ...(row.advice === undefined ? {} : { advice: row.advice }),
      }
    },

    pressure(_state, { log, options: limits }) {
      const row = nearest(rows(log, limits))
      if (!row) return toPressure(0, 1)
      const count = countOf(row)
      const least = leastOf(row)
      if (count >= least) return toPressure(count, row.limit, row.excuse)
      return { ...toPressure(count, least, row.excuse), ...(least < row.limit && LIKELY) }
    },
  })
}

/** A new round that brought something is not part of any row. */
const endsRows = (round: Round) =>
  !round.repeated && isAchievement(round) && !isFailure(round) && round.fresh * 2 > round.lines

const countOf = (row: Row) => row.count ?? row.rounds.length

const isCertain = (row: Row) => countOf(row) >= row.limit

const leastOf = (row: Row) => Math.min(row.likely ?? row.limit, row.limit)

const LIKELY = { certainty: 'likely' } as const

/** How far along a row is: 1 is enough for advice, 2 for proof. */
const progressOf = (row: Row) => {
  const count = countOf(row)
  const least = leastOf(row)
  return count < least ? count / least : 1 + Math.min(1, count / row.limit)
}

const nearest = (rows: readonly Row[]) =>
  rows.reduce<Row | undefined>(
    (most, row) => (most && progressOf(most) >= progressOf(row) ? most : row),
    undefined,
  )
