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
    .describe('dollars by list price, where the price of the model is known')
    .optional(),
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
  began: place,
  evident: place.describe('where it was seen; of a loop that is certain, where it was proven'),
  stopped: place.describe('where a guard would have ended it').optional(),
  last: place,
  wasted: spent.describe(
    'from its beginning to its last event; of a loop that is only likely, this may be honest work',
  ),
  avoidable: spent.describe('what of that came after it was evident'),
  evidence: z.array(z.object({ line: z.number(), file: z.string().optional(), text: z.string() })),
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
  status: z.string().describe("the program's own word for how the run ended").optional(),
  spent,
  wasted: spent.describe(
    'what its certain loops took; what belongs to two of them counts once, what is only likely not at all',
  ),
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

/** What `unloop scan --format json` prints. */
export const reportSchema: z.ZodType<ScanReport> = z
  .object({
    schemaVersion: z.literal(1),
    scannedAt: z.iso.datetime(),
    pricesOf: z.string().describe('the day of the price list'),
    interrupted: z.boolean(),
    files: z.array(file),
    runs: z.array(run),
  })
  .describe('What unloop scan found') as unknown as z.ZodType<ScanReport>

/** The same for other programs. */
export function toReportJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(reportSchema, { target: 'draft-7' })
  return { $schema, title: 'unloop scan', ...rest }
}
