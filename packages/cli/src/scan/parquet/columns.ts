import { STATES } from '../../words.js'
import { isMoment } from '../amounts.js'
import {
  certainOf,
  type LoopReport,
  type Part,
  type RunReport,
  type Spent,
  stateOf,
} from '../run-report.js'

/** What a column holds; a value that is not known is null in each of them. */
export type ColumnType = 'text' | 'number' | 'dollars' | 'moment' | 'day' | 'yes-no'

export type Value = string | number | boolean | undefined

export interface Column<T> {
  name: string
  type: ColumnType
  pick(row: T): Value
}

export interface LoopRow {
  id: string
  run: RunReport
  loop: LoopReport
}

export interface PartRow {
  id: string
  part: Part
}

export interface RunRow {
  id: string
  run: RunReport
}

/** A run a row. */
export const RUN_COLUMNS: readonly Column<RunRow>[] = [
  text('run_id', ({ id }) => id),
  text('agent', ({ run }) => run.program ?? run.format),
  text('format', ({ run }) => run.format),
  text('project', ({ run }) => run.project),
  text('session', ({ run }) => run.session),
  text('sub_agent', ({ run }) => run.agent),
  text('model', ({ run }) => run.model),
  text('path', ({ run }) => run.path),
  moment('started_at', ({ run }) => run.startedAt),
  moment('ended_at', ({ run }) => run.endedAt),
  text('ended', ({ run }) => run.ended),
  text('status', ({ run }) => run.status),
  text('state', ({ run }) => stateName(stateOf(run))),
  number('loops', ({ run }) => certainOf(run.loops).length),
  number('turns', ({ run }) => run.counts.turns),
  number('calls', ({ run }) => run.counts.calls),
  number('results', ({ run }) => run.counts.results),
  number('errors', ({ run }) => run.counts.errors),
  number('input_tokens', ({ run }) => run.tokens.input),
  number('cached_tokens', ({ run }) => run.tokens.cached),
  number('cache_write_tokens', ({ run }) => run.tokens.cacheWrite),
  number('cache_write_hour_tokens', ({ run }) => run.tokens.cacheWriteHour),
  number('output_tokens', ({ run }) => run.tokens.output),
  ...spentColumns<RunRow>('', ({ run }) => run.spent),
  ...spentColumns<RunRow>('wasted_', ({ run }) => run.wasted),
  number('copied_tokens', ({ run }) => run.copied?.tokens ?? 0),
  text('pricing', ({ run }) => run.pricing),
  number('unpriced_tokens', ({ run }) => run.unpricedTokens),
]

/** A loop a row, or what looked like one. */
export const FINDING_COLUMNS: readonly Column<LoopRow>[] = [
  text('run_id', ({ id }) => id),
  text('fingerprint', ({ loop }) => loop.fingerprint),
  text('state', ({ loop }) => stateName(loop.certainty)),
  { name: 'known', type: 'yes-no', pick: ({ loop }) => loop.known === true },
  text('detector', ({ loop }) => loop.detector),
  text('kind', ({ loop }) => loop.kind),
  text('tool', ({ loop }) => loop.tool),
  text('sub_agent', ({ loop }) => loop.agent),
  number('count', ({ loop }) => loop.count),
  number('period', ({ loop }) => loop.period),
  text('detail', ({ loop }) => loop.detail),
  text('sample', ({ loop }) => loop.sample),
  text('advice', ({ loop }) => loop.advice),
  moment('began_at', ({ loop }) => loop.began.at),
  moment('evident_at', ({ loop }) => loop.evident.at),
  moment('stopped_at', ({ loop }) => loop.stopped?.at),
  moment('last_at', ({ loop }) => loop.last.at),
  number('first_line', ({ run, loop }) => (run.unit === 'line' ? loop.began.line : undefined)),
  number('last_line', ({ run, loop }) => (run.unit === 'line' ? loop.last.line : undefined)),
  ...spentColumns<LoopRow>('wasted_', ({ loop }) => loop.wasted),
  ...spentColumns<LoopRow>('avoidable_', ({ loop }) => loop.avoidable),
]

/** What a run spent on a day, with a model, on a tool. */
export const PART_COLUMNS: readonly Column<PartRow>[] = [
  text('run_id', ({ id }) => id),
  { name: 'day', type: 'day', pick: ({ part }) => part.day },
  text('model', ({ part }) => part.model),
  text('tool', ({ part }) => part.tool),
  number('calls', ({ part }) => part.calls),
  number('errors', ({ part }) => part.errors),
  number('tokens', ({ part }) => part.tokens),
  dollars('dollars', ({ part }) => part.cost),
  number('wasted_tokens', ({ part }) => part.wastedTokens),
  dollars('wasted_dollars', ({ part }) => part.wastedCost),
]

const stateName = (certainty: LoopReport['certainty'] | undefined) => certainty && STATES[certainty]

function spentColumns<T>(prefix: string, pick: (row: T) => Spent): Column<T>[] {
  return [
    number(`${prefix}events`, (row) => pick(row).events),
    number(`${prefix}ms`, (row) => pick(row).ms),
    number(`${prefix}tokens`, (row) => pick(row).tokens),
    dollars(`${prefix}dollars`, (row) => pick(row).cost),
  ]
}

function text<T>(name: string, pick: (row: T) => string | undefined): Column<T> {
  return { name, type: 'text', pick }
}

function number<T>(name: string, pick: (row: T) => number | undefined): Column<T> {
  return { name, type: 'number', pick }
}

function dollars<T>(name: string, pick: (row: T) => number | undefined): Column<T> {
  return { name, type: 'dollars', pick }
}

/** A time that is none, such as one of a damaged record, is not known. */
function moment<T>(name: string, pick: (row: T) => number | undefined): Column<T> {
  return {
    name,
    type: 'moment',
    pick(row) {
      const at = pick(row)
      return isMoment(at) ? at : undefined
    },
  }
}
