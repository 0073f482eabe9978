import { z } from 'zod'
import type { ScanReport } from './run-report.js'

const place = z.object({
  event: z.number().describe('number of the event in its run, from 0'),
  line: z.number().describe('line, element or row of the transcript, from 1'),
  at: z.number().describe('milliseconds since the epoch').optional(),
  file: z.string().describe('the file, where a transcript is a folder').optional(),
})

const spent = z.object({
  events: z.number(),
  ms: z.number().optional(),
  tokens: z.number(),
  cost: z
    .number()
    .describe('dollars, as recorded by the agent, else by list price; none where no price is known')
    .optional(),
})

const counts = z.object({
  turns: z.number().describe('answers of the model'),
  calls: z.number(),
  results: z.number(),
  errors: z.number(),
})

const tokens = z.object({
  input: z.number().describe('all that was read; the next three are parts of it'),
  cached: z.number().describe('read from a cache'),
  cacheWrite: z.number().describe('written to a cache'),
  cacheWriteHour: z.number().describe('what of that is kept for an hour instead of five minutes'),
  output: z.number(),
})

const bill = {
  tokens: z.number(),
  cost: z.number().optional(),
  wastedTokens: z.number().describe('tokens spent while the agent was stuck'),
  wastedCost: z.number().optional(),
}

const part = z.object({
  day: z.string().describe('in the time zone of the person: 2026-11-14').optional(),
  model: z.string().optional(),
  tool: z
    .string()
    .describe('none for answers without a call; an answer that called several is shared among them')
    .optional(),
  calls: z.number(),
  errors: z.number(),
  ...bill,
})

/** An event that showed a loop. */
export const evidence = z.object({
  line: z.number(),
  file: z.string().optional(),
  at: z.number().describe('milliseconds since the epoch').optional(),
  kind: z.enum(['prompt', 'call', 'answer', 'error', 'text', 'thought', 'handoff', 'other']),
  tool: z.string().optional(),
  text: z.string(),
})

const step = z.object({
  kind: z.enum(['hook', 'setting', 'advice']),
  text: z.string(),
  command: z.string().describe('to be typed as it stands').optional(),
})

const loop = z.object({
  identity: z.string().describe('stable name of this very loop'),
  fingerprint: z
    .string()
    .describe('stable name of this very loop among all runs, on every machine')
    .optional(),
  known: z.boolean().describe('whether the baseline has it').optional(),
  certainty: z
    .enum(['likely', 'certain'])
    .describe('likely: the agent struggled; certain: it was stuck'),
  detector: z.string(),
  kind: z.string(),
  detail: z.string(),
  sample: z.string(),
  tool: z.string().optional(),
  agent: z.string().describe('the sub-agent').optional(),
  count: z.number(),
  period: z.number().describe('calls in one lap, or characters of a text'),
  began: place,
  evident: place.describe('where it was seen; of a loop that is certain, where it was proven'),
  stopped: place.describe('where a guard would have ended it').optional(),
  last: place,
  wasted: spent.describe(
    'from its beginning to its last event; of a loop that is only likely, this may be honest work',
  ),
  avoidable: spent.describe('what of that came after it was evident'),
  evidence: z.array(evidence).describe('the events that showed it, oldest first'),
  advice: z.string().describe('what the guard would have told the model'),
  steps: z.array(step).describe('what a person can do about it, best first'),
})

const run = z.object({
  path: z.string(),
  format: z.string(),
  unit: z
    .enum(['line', 'element', 'row', 'file'])
    .describe('what "line" counts in this transcript: lines of the file, or something else'),
  program: z.string().optional(),
  project: z.string().optional(),
  session: z.string().optional(),
  model: z.string().optional(),
  agent: z.string().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  ended: z.enum(['finished', 'in-loop', 'broke-off', 'failed', 'aborted', 'limit']),
  status: z.string().describe("the program's own word for how it ended").optional(),
  counts,
  tokens,
  spent: spent.describe('without what it copied from another run'),
  wasted: spent.describe(
    'what its certain loops took; what belongs to two of them counts once, what is only likely not at all',
  ),
  pricing: z
    .enum(['recorded', 'list', 'partial', 'none'])
    .describe('where its cost is from; partial: a part of its tokens has no price'),
  unpricedTokens: z.number(),
  copied: spent.describe('what stands in its transcript, but was paid in another run').optional(),
  parts: z.array(part).describe('what it spent by day, model and tool'),
  timeline: z.object({
    size: z.number().describe('events that share a letter'),
    marks: z
      .string()
      .describe('p request, c call, a answer, e error, t text, r thought, x compaction'),
  }),
  loops: z.array(loop).describe('those that are certain first'),
  faults: z
    .array(
      z.object({
        part: z.string().describe('a detector, which was left out from then on, or guard'),
        message: z.string().describe('what happened and what it means'),
      }),
    )
    .describe('parts of the guard that failed while it looked at this run: loops may be missing'),
  skipped: z.number().describe('events that the guard could not read, and skipped'),
})

const file = z.object({
  path: z.string(),
  format: z.string().optional(),
  records: z.number().describe('lines, elements of a document, rows or files'),
  used: z.number().describe('records with events'),
  skipped: z.number().describe('records of no interest'),
  bad: z.number().describe('records that could not be understood'),
  badRecords: z
    .array(z.object({ line: z.number(), reason: z.string(), file: z.string().optional() }))
    .describe('the first of them'),
  events: z.number(),
  runs: z.number(),
  problem: z.object({ code: z.string(), message: z.string() }).optional(),
})

const row = z.object({
  name: z.string(),
  runs: z.number(),
  loops: z.number().describe('loops that are certain'),
  ...bill,
})

const totals = z.object({
  runs: z.number(),
  stuck: z.number().describe('runs in which the agent was stuck'),
  struggling: z.number().describe('runs in which it struggled at most'),
  loops: z.number().describe('loops that are certain'),
  priced: z.number().describe('runs whose cost is known in full'),
  paid: z.number().describe('runs that used tokens, or whose cost is recorded'),
  counts,
  tokens,
  spent,
  wasted: spent,
})

/** What `unloop scan --format json` prints. */
export const reportSchema: z.ZodType<ScanReport> = z
  .object({
    schemaVersion: z.literal(2),
    scannedAt: z.iso.datetime(),
    since: z.iso.datetime().describe('the moment that was asked for').optional(),
    prices: z
      .object({ date: z.string(), source: z.string() })
      .describe('the price list that costs were reckoned with'),
    interrupted: z.boolean(),
    files: z.array(file),
    runs: z.array(run),
    totals,
    by: z
      .object({
        day: z.array(row),
        project: z.array(row),
        agent: z.array(row),
        model: z.array(row),
        tool: z.array(row),
      })
      .describe('what was spent and wasted; the dearest first, days in their order'),
  })
  .describe('What unloop scan found') as unknown as z.ZodType<ScanReport>

/** The same for other programs. */
export function toReportJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(reportSchema, { target: 'draft-7' })
  return { $schema, title: 'unloop scan', ...rest }
}
