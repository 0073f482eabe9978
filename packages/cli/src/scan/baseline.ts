import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { UsageError } from '../exit-code.js'
import { certainOf, type RunReport } from './run-report.js'

const baseline = z.object({
  schemaVersion: z.literal(1),
  loops: z.array(
    z.object({
      fingerprint: z.string(),
      kind: z.string(),
      tool: z.string().optional(),
      count: z.number(),
    }),
  ),
})

type KnownLoop = z.infer<typeof baseline>['loops'][number]

/** The stuck runs of a report as a baseline: a line for each loop, in an order that only changes with the loops. */
export function toBaseline(runs: readonly RunReport[]): string {
  const loops = runs
    .flatMap(({ loops }) => certainOf(loops))
    .map(
      ({ fingerprint = '', kind, tool, count }): KnownLoop => ({
        fingerprint,
        kind,
        ...(tool !== undefined && { tool }),
        count,
      }),
    )
    .sort((a, b) => order(nameOf(a), nameOf(b)))
  const lines = loops.map((loop) => `    ${JSON.stringify(loop)}`)
  return `{
  "schemaVersion": 1,
  "loops": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]
}
`
}

const nameOf = ({ kind, tool = '', fingerprint }: KnownLoop) => `${kind} ${tool} ${fingerprint}`

const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** The fingerprints in a baseline; throws a `UsageError` that says what to do. */
export async function readBaseline(path: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT'
        ? `there is no baseline ${path}. Create it with --write-baseline`
        : `cannot read the baseline: ${error.message}`,
    )
  })
  const { loops } = parse(text, path)
  return new Set(loops.map(({ fingerprint }) => fingerprint))
}

function parse(text: string, path: string): z.infer<typeof baseline> {
  const advice = 'Restore it from version control, or write it again with --write-baseline'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError(`the baseline ${path} is not JSON. ${advice}`)
  }
  const parsed = baseline.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'the document'
  throw new UsageError(`the baseline ${path} is damaged: ${where}: ${issue?.message}. ${advice}`)
}

/** The run with the loops of a baseline marked. */
export const withKnown = (run: RunReport, known: ReadonlySet<string>): RunReport => ({
  ...run,
  loops: run.loops.map((loop) =>
    known.has(loop.fingerprint ?? '') ? { ...loop, known: true } : loop,
  ),
})
