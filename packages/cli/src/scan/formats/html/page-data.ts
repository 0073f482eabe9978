import { dayOf as dayAt } from '../../parts.js'
import { projectName } from '../../project-name.js'
import type { FileReport, Part, RunReport, ScanReport } from '../../run-report.js'

/** What is written into the page: the report without what the page adds up by itself. */
export interface PageData {
  scannedAt: string
  since?: string
  prices: ScanReport['prices']
  interrupted: boolean
  /** transcripts that were not read, or not in full, and why */
  problems: { path: string; message: string }[]
  /** days, models and tools; parts name them by their place here */
  names: string[]
  runs: PackedRun[]
}

/** A run whose parts are one list of numbers, nine for each. */
export type PackedRun = Omit<RunReport, 'parts'> & { parts: number[] }

/** A run as the page uses it. */
export interface PageRun extends RunReport {
  /** its place in the report, by which its page is found */
  index: number
  /** the program, and the project as a person calls it, or nothing */
  agentName: string
  projectName: string
}

const FIELDS = 9
/** in place of a name or a cost that is not known */
const NONE = -1

/** The report as the page carries it, a third as long. */
export function packReport(report: ScanReport): PageData {
  const { scannedAt, since, prices, interrupted } = report
  const places = new Map<string, number>()
  const place = (name: string | undefined) => {
    if (name === undefined) return NONE
    const known = places.get(name) ?? places.size
    places.set(name, known)
    return known
  }
  const runs = report.runs.map(({ parts, ...run }) => ({
    ...run,
    parts: partsOf({ ...run, parts }).flatMap((part) => [
      place(part.day),
      place(part.model),
      place(part.tool),
      part.calls,
      part.errors,
      part.tokens,
      toMicros(part.cost),
      part.wastedTokens,
      toMicros(part.wastedCost),
    ]),
  }))
  return {
    scannedAt,
    ...(since !== undefined && { since }),
    prices,
    interrupted,
    problems: report.files.flatMap(problemOf),
    names: [...places.keys()],
    runs,
  }
}

/** The runs of a page, with parts that have names again. */
export function unpackRuns({ names, runs }: PageData): PageRun[] {
  return runs.map((run, index) => ({
    ...run,
    index,
    agentName: run.program ?? run.format,
    projectName: run.project === undefined ? '' : projectName(run.project),
    parts: unpackParts(names, run.parts),
  }))
}

function unpackParts(names: readonly string[], numbers: readonly number[]): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < numbers.length; at += FIELDS) {
    const number = (field: number) => numbers[at + field] ?? NONE
    const part: Part = {
      calls: number(3),
      errors: number(4),
      tokens: number(5),
      wastedTokens: number(7),
    }
    const day = names[number(0)]
    const model = names[number(1)]
    const tool = names[number(2)]
    if (day !== undefined) part.day = day
    if (model !== undefined) part.model = model
    if (tool !== undefined) part.tool = tool
    if (number(6) !== NONE) part.cost = number(6) / 1e6
    if (number(8) !== NONE) part.wastedCost = number(8) / 1e6
    parts.push(part)
  }
  return parts
}

const toMicros = (dollars: number | undefined) =>
  dollars === undefined ? NONE : Math.round(dollars * 1e6)

/** A run that used no tokens still happened on some day. */
function partsOf({ parts, startedAt, model, counts, spent, wasted }: RunReport): Part[] {
  if (parts.length > 0) return parts
  const day = dayOf(startedAt)
  return [
    {
      ...(day !== undefined && { day }),
      ...(model !== undefined && { model }),
      calls: counts.calls,
      errors: counts.errors,
      tokens: spent.tokens,
      ...(spent.cost !== undefined && { cost: spent.cost }),
      wastedTokens: wasted.tokens,
      ...(wasted.cost !== undefined && { wastedCost: wasted.cost }),
    },
  ]
}

/** The day of a moment, where the person is: `2026-11-14`; none for what no calendar has. */
export const dayOf = (at: number | undefined): string | undefined =>
  at === undefined || Number.isNaN(new Date(at).getTime()) ? undefined : dayAt(at)

function problemOf({ path, problem, bad, records }: FileReport): PageData['problems'] {
  if (problem?.code === 'unknown-format') return []
  if (problem) return [{ path, message: problem.message }]
  return bad > 0 ? [{ path, message: `${bad} of ${records} records could not be read` }] : []
}
