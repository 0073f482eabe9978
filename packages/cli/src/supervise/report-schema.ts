import { z } from 'zod'
import { evidence } from '../scan/report-schema.js'
import type { RunReport } from './report.js'

const loop = z.object({
  identity: z.string().describe('stable name of this very loop'),
  certainty: z
    .enum(['likely', 'certain'])
    .describe('likely: the agent struggled; certain: it was stuck'),
  detector: z.string().describe('the rule that found it, or budget'),
  kind: z.string(),
  detail: z.string().describe('what happened, for people'),
  advice: z.string().describe('what the model could do instead; it was not told'),
  sample: z.string().describe('the repeated thing, shortened'),
  tool: z.string().optional(),
  agent: z.string().describe('the sub-agent').optional(),
  count: z.number().describe('how often the repeated thing occurred'),
  line: z.number().describe('line of the output that revealed it, from 1'),
  wasted: z.object({
    events: z.number(),
    characters: z.number(),
    tokens: z.number().optional(),
  }),
  evidence: z.array(evidence).describe('the last events before it was revealed, oldest first'),
})

/** What `unloop run --report` writes. */
const reportSchema: z.ZodType<RunReport> = z
  .object({
    schemaVersion: z.literal(1),
    outcome: z
      .enum(['finished', 'stopped', 'unwatched'])
      .describe('stopped: a loop ended the run; unwatched: its output could not be read'),
    command: z.array(z.string()).describe('the words of the command, shortened'),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime(),
    exitCode: z.number().describe('of the command, unless a signal ended it').optional(),
    signal: z.string().describe('that ended the command').optional(),
    format: z.string().describe('what the output is').optional(),
    program: z.string().optional(),
    session: z.string().optional(),
    model: z.string().optional(),
    events: z.number(),
    calls: z.number().describe('calls of tools'),
    tokens: z
      .object({ input: z.number(), cached: z.number(), output: z.number() })
      .describe('as far as the output tells; input includes cached'),
    stop: loop.describe('the loop that ended the run').optional(),
    loops: z.array(loop).describe('all loops that were seen'),
    problems: z.array(z.string()).describe('what limits this report'),
  })
  .describe('What unloop run saw') as unknown as z.ZodType<RunReport>

/** The same for other programs. */
export function toRunJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(reportSchema, { target: 'draft-7' })
  return { $schema, title: 'unloop run', ...rest }
}
