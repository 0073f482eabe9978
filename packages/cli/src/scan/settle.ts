import { type Entry, tokensOf } from './entry.js'
import { unpackEntries } from './packed-entries.js'
import { partsOf } from './parts.js'
import type { LoopDraft, RunDraft } from './run-draft.js'
import type { RunReport } from './run-report.js'
import { amountOf, spansAfter, spentIn, unionOf } from './spans.js'
import { countsOf, tokensIn } from './sums.js'

/**
 * The runs with everything in one of them only. A session that goes on in a new file begins with a copy of the old one,
 * a fork with a copy of its parent, and a sub-agent may stand in two files: what was paid once is told once, in the run
 * that came first. A run that is all copy is left out.
 */
export function settleRuns(
  drafts: readonly RunDraft[],
  isWanted: (entry: Entry) => boolean = () => true,
): RunReport[] {
  const seen = new Map<number, number>()
  const settled = new Map<RunDraft, Omit<RunReport, 'loops'>>()
  const told = createTold()
  for (const draft of [...drafts].sort(byBeginning)) {
    const entries = unpackEntries(draft.entries).flatMap((entry) => withoutOwnAnswer(entry, seen))
    const own = entries.filter(({ key }) => !seen.has(key))
    for (const one of entries)
      if (one.key !== 0 && !seen.has(one.key)) seen.set(one.key, tokensOf(one))
    if (own.length === 0 && entries.length > 0) continue
    told.add(draft, entries)
    settled.set(draft, settle(draft, entries, own, own.filter(isWanted)))
  }
  const best = told.all()
  return drafts.flatMap((draft) => {
    const run = settled.get(draft)
    const loops = draft.loops.filter((one) => best.has(one)).map(({ loop }) => loop)
    return run ? [{ ...run, loops }] : []
  })
}

/** A copied call with tokens of its own is the one at which a fork begins: its first answer follows without another call. */
function withoutOwnAnswer(entry: Entry, seen: ReadonlyMap<number, number>): Entry[] {
  const paid = seen.get(entry.key)
  if (paid === undefined || paid === tokensOf(entry) || tokensOf(entry) === 0) return [entry]
  const { event, key, turns, calls, results, errors } = entry
  const nothing = { input: 0, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0 }
  return [
    { event, key, turns, calls, results, errors, ...nothing },
    { ...entry, key: answerKey(entry), turns: 0, calls: 0, results: 0, errors: 0 },
  ]
}

/** The name of the answer that follows a copied call; below 0, where no call is. */
const answerKey = (entry: Entry): number =>
  -((entry.key % 2 ** 32) * 2 ** 20 + (tokensOf(entry) % 2 ** 20)) - 1

/** The original first: it ended before the copy that goes on. */
const byBeginning = ({ run: a }: RunDraft, { run: b }: RunDraft) =>
  (a.startedAt ?? 0) - (b.startedAt ?? 0) ||
  (a.endedAt ?? 0) - (b.endedAt ?? 0) ||
  (a.path < b.path ? -1 : Number(a.path > b.path))

/** Tells each loop in one run, where most of it is. */
function createTold() {
  const told = new Map<string | LoopDraft, LoopDraft>()
  return {
    add(draft: RunDraft, entries: readonly Entry[]): void {
      for (const one of draft.loops) {
        const key = keyOf(draft, one, entries) ?? one
        const known = told.get(key)
        if (!known || isBetter(one, known)) told.set(key, one)
      }
    },
    all: () => new Set(told.values()),
  }
}

/** The same loop that began with the same call, or else at the same moment; otherwise nothing can be said. */
function keyOf(
  { run }: RunDraft,
  { loop }: LoopDraft,
  entries: readonly Entry[],
): string | undefined {
  const { agent, identity, began, last } = loop
  const isIn = ({ event }: Entry) => event >= began.event && event <= last.event
  const since = entries.find((entry) => entry.key !== 0 && isIn(entry))?.key ?? began.at
  if (since === undefined) return
  return `${run.program ?? run.format} ${since} ${agent ?? ''} ${identity}`
}

/** Certain, or longer. */
function isBetter({ loop: one }: LoopDraft, { loop: other }: LoopDraft): boolean {
  if (one.certainty !== other.certainty) return one.certainty === 'certain'
  return one.wasted.events > other.wasted.events
}

function settle(
  { run, events, loops }: RunDraft,
  entries: readonly Entry[],
  own: readonly Entry[],
  wanted: readonly Entry[],
): Omit<RunReport, 'loops'> {
  const mine = new Set(own)
  const copies = own.length === entries.length ? [] : entries.filter((one) => !mine.has(one))
  // what is copied comes first
  const lastCopy = copies.at(-1)
  const copied = lastCopy ? lastCopy.event + 1 : 0
  const from = lastCopy?.at ?? run.startedAt
  const certain = loops.filter(({ loop }) => loop.certainty === 'certain')
  const stuck = spansAfter(unionOf(certain.flatMap(({ spans }) => spans)), copied - 1, from)
  const unpriced = wanted.filter((one) => one.cost === undefined && tokensOf(one) > 0)
  return {
    ...run,
    counts: countsOf(wanted),
    tokens: tokensIn(wanted),
    spent: {
      events: events - copied,
      ...amountOf(wanted),
      ...(from !== undefined &&
        run.endedAt !== undefined && { ms: Math.max(0, run.endedAt - from) }),
    },
    wasted: spentIn(stuck, wanted),
    pricing: pricingOf(wanted, unpriced.length),
    unpricedTokens: unpriced.reduce((sum, one) => sum + tokensOf(one), 0),
    ...(lastCopy && { copied: { events: copied, ...amountOf(copies) } }),
    parts: partsOf(wanted, stuck),
  }
}

function pricingOf(entries: readonly Entry[], unpriced: number): RunReport['pricing'] {
  const priced = entries.filter(({ cost }) => cost !== undefined)
  if (priced.length === 0) return 'none'
  if (unpriced > 0) return 'partial'
  return priced.every(({ isRecorded }) => isRecorded) ? 'recorded' : 'list'
}
