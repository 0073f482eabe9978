import type { Certainty } from 'unloop'
import type { Troubles } from '../troubles.js'

/** What a transcript is made of, which is what `line` counts: only lines are lines of a file. */
export type Unit = 'line' | 'element' | 'row' | 'file'

/** A place in a run: the event's number, its line in the transcript, and when it was. */
export interface Place {
  event: number
  line: number
  at?: number
  file?: string
}

/** What something took; `cost` in dollars, where the model's price is known. */
export interface Spent {
  events: number
  ms?: number
  tokens: number
  cost?: number
}

/** How often something happened; a turn is one answer of the model. */
export interface Counts {
  turns: number
  calls: number
  results: number
  errors: number
}

/** Tokens by their price: `input` is all that was read, the next three are parts of it. */
export interface Tokens {
  input: number
  cached: number
  cacheWrite: number
  cacheWriteHour: number
  output: number
}

/** What a run spent on one day, with one model, on one tool, and what of that it spent while it was stuck. */
export interface Part {
  /** where the person is: `2026-11-14` */
  day?: string
  model?: string
  /** none for answers without a call; an answer that called several is shared among them */
  tool?: string
  calls: number
  errors: number
  tokens: number
  cost?: number
  wastedTokens: number
  wastedCost?: number
}

/** One loop of a run, or what looked like one. */
export interface LoopReport {
  /** stable name of this very loop */
  identity: string
  /** the same for other machines, see `fingerprint.ts`; every loop of a report has one */
  fingerprint?: string
  /** whether a baseline has it, so that it breaks no build */
  known?: boolean
  /** `likely`: the agent struggled; `certain`: it was stuck */
  certainty: Certainty
  detector: string
  kind: string
  detail: string
  sample: string
  tool?: string
  agent?: string
  count: number
  /** calls in one lap, or characters of a text */
  period: number
  /** where it began, where it was evident, where a guard would have ended it, and its last event seen */
  began: Place
  evident: Place
  stopped?: Place
  last: Place
  /** what it took from its beginning to its last event, and what of that came after it was evident */
  wasted: Spent
  avoidable: Spent
  /** the events that showed it, oldest first */
  evidence: Evidence[]
  /** what the guard would have told the model */
  advice: string
  /** what a person can do about it, best first */
  steps: NextStep[]
}

/** An event that showed a loop, in words. */
export interface Evidence {
  line: number
  file?: string
  at?: number
  kind: EvidenceKind
  tool?: string
  text: string
}

export type EvidenceKind =
  | 'prompt'
  | 'call'
  | 'answer'
  | 'error'
  | 'text'
  | 'thought'
  | 'handoff'
  | 'other'

/** Something to do so that it does not happen again. */
export interface NextStep {
  kind: 'hook' | 'setting' | 'advice'
  text: string
  /** to be typed as it stands */
  command?: string
}

/** How a run ended: with a word of the model, in a loop, in the middle of something, or as its program says. */
export type Ending = 'finished' | 'in-loop' | 'broke-off' | 'failed' | 'aborted' | 'limit'

/** One run of an agent, as a scan sees it. */
export interface RunReport extends Troubles {
  path: string
  format: string
  unit: Unit
  program?: string
  project?: string
  session?: string
  model?: string
  agent?: string
  startedAt?: number
  endedAt?: number
  ended: Ending
  /** the program's own word for it */
  status?: string
  counts: Counts
  tokens: Tokens
  /** without what it copied from another run */
  spent: Spent
  /** what it took while it was stuck; what belongs to two loops counts once, what is only likely not at all */
  wasted: Spent
  /** where its cost is from; `partial`: a part of its tokens has no price */
  pricing: 'recorded' | 'list' | 'partial' | 'none'
  unpricedTokens: number
  /** what stands in its transcript, but was paid in another run: it is a fork, or goes on with a session */
  copied?: Spent
  parts: Part[]
  /** a letter for every few events, oldest first: see `timeline.ts` */
  timeline: { size: number; marks: string }
  /** those that are certain first */
  loops: LoopReport[]
}

/** Loops that are proven: the agent was stuck. */
export const certainOf = (loops: readonly LoopReport[]): LoopReport[] =>
  loops.filter(({ certainty }) => certainty === 'certain')

/** Whether an agent was stuck in this run, or struggled at most; `undefined` if neither. */
export const stateOf = ({ loops }: Pick<RunReport, 'loops'>): Certainty | undefined =>
  loops.some(({ certainty }) => certainty === 'certain') ? 'certain' : loops[0]?.certainty

/** Whether the agent was stuck in a way that no baseline knows, which fails a build. */
export const isNewlyStuck = ({ loops }: Pick<RunReport, 'loops'>): boolean =>
  certainOf(loops).some(({ known }) => !known)

/** The name of a run among all: that of its session or, if it has none, its place and what is known of it. */
export function runName(run: RunReport): string {
  const { program = run.format, session, agent, startedAt, path, spent } = run
  const place = session === undefined ? [path, spent.events, spent.tokens] : [session]
  return JSON.stringify([program, agent, startedAt, ...place])
}

/** The oldest first; the same order whichever was read first. */
export const byStart = (a: RunReport, b: RunReport): number =>
  (a.startedAt ?? 0) - (b.startedAt ?? 0) || byPath(a, b)

export const byPath = (a: { path: string }, b: { path: string }): number =>
  a.path === b.path ? 0 : a.path < b.path ? -1 : 1

/** What became of one transcript. */
export interface FileReport {
  path: string
  format?: string
  /** lines, elements of a document, rows or files: those with events, those of no interest, and bad ones */
  records: number
  used: number
  skipped: number
  bad: number
  /** the first of the bad ones */
  badRecords: { line: number; reason: string; file?: string }[]
  events: number
  runs: number
  problem?: { code: string; message: string }
}

/** Everything a scan has to tell. */
export interface ScanReport {
  schemaVersion: 2
  /** when, as an ISO date */
  scannedAt: string
  /** the moment that was asked for, as an ISO date */
  since?: string
  /** the price list that costs were reckoned with */
  prices: { date: string; source: string }
  /** whether it was ended before everything was read */
  interrupted: boolean
  files: FileReport[]
  runs: RunReport[]
  totals: Totals
  by: Record<Grouping, Row[]>
}

/** All runs together. */
export interface Totals {
  runs: number
  /** runs in which the agent was stuck, and those in which it struggled at most */
  stuck: number
  struggling: number
  /** loops that are certain */
  loops: number
  /** runs whose cost is known in full */
  priced: number
  /** runs that used tokens, or whose cost is recorded */
  paid: number
  counts: Counts
  tokens: Tokens
  spent: Spent
  wasted: Spent
}

export type Grouping = 'day' | 'project' | 'agent' | 'model' | 'tool'

/** One day, project, agent, model or tool: what was spent on it, and what of that was wasted. */
export interface Row {
  name: string
  runs: number
  loops: number
  tokens: number
  cost?: number
  wastedTokens: number
  wastedCost?: number
}
