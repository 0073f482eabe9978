import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { formats } from '@unloop/transcripts'
import type { PresetName } from 'unloop/presets'
import { plural } from 'unloop/words'
import { type ConfigOptions, GUARD_PARTS, loadConfig } from '../config/load.js'
import { UsageError } from '../exit-code.js'
import { homeOf } from '../home-of.js'
import { type Host, toOutput } from '../host.js'
import { inOneLine, printable } from '../printable.js'
import { ADVICE, troubleLines } from '../troubles.js'
import { toLeast, toSince } from './amounts.js'
import { withKnown } from './baseline.js'
import type { Entry } from './entry.js'
import { placeOf, withFingerprints } from './fingerprint.js'
import { loadPrices } from './load-prices.js'
import { isNoTranscript, unread, whyNotAll, withPath } from './problem.js'
import { createProgress } from './progress.js'
import { projectName } from './project-name.js'
import { createCleaner } from './redact.js'
import { quoteFile, quoteRun, quoteTroubles } from './redact-report.js'
import type { RunDraft } from './run-draft.js'
import { byPath, byStart, type RunReport, type ScanReport } from './run-report.js'
import { scanAll } from './scan-all.js'
import { checkAgents, selectTranscripts } from './select.js'
import { settleRuns } from './settle.js'
import { groupsOf, totalsOf } from './totals.js'

export interface ReportOptions extends ConfigOptions {
  since?: string
  agent?: string[]
  project?: string
  model?: string
  prices?: string
  preset?: PresetName
  minWasted?: string
  jobs?: number
  showRaw?: boolean
  /** the fingerprints of a baseline */
  known?: ReadonlySet<string>
  /** Called for a path that the person named and of which nothing could be read. */
  onUnread?(): void
}

/** Scans what was asked for, as far as it gets until it is interrupted; tells of problems as they come. */
export async function makeReport(
  host: Host,
  paths: readonly string[],
  options: ReportOptions,
): Promise<ScanReport> {
  const err = toOutput(host.stderr, host.env)
  if (paths.length === 0) checkAgents(host, options.agent ?? [])
  const { source: config } = await loadConfig(host, options, GUARD_PARTS)
  const since = options.since === undefined ? undefined : toSince(options.since, Date.now())
  const isCostly = options.minWasted === undefined ? undefined : toLeast(options.minWasted)
  const priceFile = options.prices === undefined ? undefined : resolve(host.cwd(), options.prices)
  const prices = await loadPrices(priceFile)
  const report: ScanReport = {
    schemaVersion: 2,
    scannedAt: new Date().toISOString(),
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    prices: { date: prices.date, source: prices.source },
    interrupted: false,
    files: [],
    runs: [],
    totals: totalsOf([]),
    by: groupsOf([]),
  }
  const drafts: RunDraft[] = []
  if (paths.includes('-')) {
    throw new UsageError('scan reads files; for events on stdin, use unloop check -')
  }
  const clean = createCleaner(homeOf(host), options.showRaw)
  let isOld = false
  const named = new Set(paths.map((path) => resolve(host.cwd(), path)))
  const selected = await selectTranscripts(host, [...named], {
    ...(since !== undefined && { since }),
    ...(options.agent && { agents: options.agent }),
    onProblem({ path, message }) {
      const file = quoteFile(unread(path, { code: 'unreadable', message }), clean)
      err.line(`unloop: ${withPath(file.path, file.problem?.message ?? '')}`)
      report.files.push(file)
      if (named.has(path)) options.onUnread?.()
    },
    onOld(count, path) {
      isOld = true
      const files = plural(count, 'file')
      if (path !== undefined)
        err.line(`${clean.name(path)}: nothing in it is that recent (${files})`)
      else err.line(`No session on this machine is that recent (${files}).`)
    },
  })
  if (selected.length === 0 && paths.length === 0) {
    const who = options.agent ? 'No agent of that name' : 'No agent'
    if (!isOld)
      err.line(
        `${who} has recorded sessions here that unloop can read. Pass a path, or see unloop scan --help.`,
      )
    return report
  }
  /** Reports what went wrong in a guard, once even if it happens in several runs. */
  const told = new Set<string>()
  function tellTroubles(run: RunDraft['run']) {
    const lines = troubleLines({ ...run, skipped: run.faults.length > 0 ? 0 : run.skipped })
    for (const line of lines.filter((line) => !told.has(line))) {
      told.add(line)
      progress.clear()
      err.line(inOneLine(`unloop: ${clean.name(run.path)}: ${line}`))
    }
  }
  const known = new Map(selected.map((one) => [one.path, one]))
  /** names that runs in it have, which need be none of those we know */
  const agents = new Set(formats.map(({ name }) => name))
  const bytes = selected.reduce((sum, one) => sum + one.bytes, 0)
  const progress = createProgress(err, selected)
  const abort = new AbortController()
  const interrupt = () => abort.abort()
  host.on('SIGINT', interrupt)
  const folders = paths.length === 0 ? [homeOf(host)] : [...named]
  const jobs = options.jobs ?? (bytes < SMALL ? 1 : availableParallelism())
  // a large one that comes last would keep one thread at work while the others have nothing to do
  if (jobs > 1) selected.sort((a, b) => b.bytes - a.bytes)
  try {
    await scanAll(
      selected.map(({ path }) => path),
      {
        source: {
          config,
          ...(options.preset && { preset: options.preset }),
        },
        prices: priceFile,
        jobs,
        signal: abort.signal,
        onProgress: progress.reach,
        onRun({ run: read, loops, ...draft }) {
          // what was found in the place of a program is its own, although another may write the same
          const { program = read.program } = known.get(read.path) ?? {}
          const run = program === undefined ? read : { ...read, program }
          agents.add(program ?? run.format)
          const costly = isCostly ? loops.filter(({ loop }) => isCostly(loop.wasted)) : loops
          drafts.push({ ...draft, run, loops: costly })
          for (const { loop } of costly) if (loop.certainty === 'certain') progress.found()
          tellTroubles(quoteTroubles(run, clean))
        },
        onFile(read) {
          const file = options.showRaw ? read : quoteFile(read, clean)
          report.files.push(file)
          progress.done(read.path)
          if (read.problem && read.used === 0 && named.has(read.path)) options.onUnread?.()
          // a folder may hold anything; a file that the person named should be a transcript
          const why = whyNotAll(file)
          if (why === undefined || (isNoTranscript(file) && !named.has(read.path))) return
          progress.clear()
          err.line(inOneLine(`unloop: ${withPath(file.path, why)}`))
        },
      },
    )
  } finally {
    host.off('SIGINT', interrupt)
    progress.clear()
  }
  if (told.size > 0) err.line(ADVICE)
  report.interrupted = abort.signal.aborted
  // the names in it are known only once all of it has been read
  if (!report.interrupted) checkAgents(host, options.agent ?? [], agents)
  // the same report whichever thread was first
  report.files.sort(byPath)
  report.runs = settleRuns(drafts, toEntryFilter(options, since))
    .filter(toFilter(options, since))
    .map((run) => ({
      ...run,
      loops: run.loops.filter(({ last }) => (last.at ?? since ?? 0) >= (since ?? 0)),
    }))
    .map((run) => {
      const marked = withFingerprints(run, placeOf(run.path, folders))
      return quoteRun(options.known ? withKnown(marked, options.known) : marked, clean)
    })
    .sort(byStart)
  report.totals = totalsOf(report.runs)
  if (report.runs.length === 0 && drafts.length > 0)
    err.line(clean.text(nothingMatches(drafts, options)))
  report.by = groupsOf(report.runs)
  return report
}

// below this a thread costs more than it saves
const SMALL = 16e6

/** Says what there is, where the filters leave nothing of it. */
function nothingMatches(drafts: readonly RunDraft[], { project, model }: ReportOptions): string {
  const names = (all: readonly (string | undefined)[]) =>
    [...new Set(all.filter((name) => name !== undefined))].slice(0, 10).map(printable).join(', ')
  const runs = plural(drafts.length, 'run')
  if (project !== undefined) {
    const known = names(drafts.map(({ run }) => run.project && projectName(run.project)))
    return `None of ${runs} is of a project with ${project} in its path. There are: ${known || 'none with a project'}.`
  }
  if (model !== undefined) {
    const known = names(drafts.map(({ run }) => run.model))
    return `None of ${runs} used a model with ${model} in its name. There are: ${known || 'none with a name'}.`
  }
  return `None of ${runs} matches.`
}

/** Which entries are wanted: those of the model, and since the moment, that were asked for. */
function toEntryFilter({ model }: ReportOptions, since = Number.NEGATIVE_INFINITY) {
  const isModel = includes(model)
  return (entry: Entry) => (entry.at ?? since) >= since && isModel(entry.model)
}

/** Which runs are wanted; those whose time or project is not known are, unless that was asked for. */
function toFilter({ project, agent, model }: ReportOptions, since = Number.NEGATIVE_INFINITY) {
  const isProject = includes(project)
  return (run: RunReport) =>
    isProject(run.project) &&
    (model === undefined || run.parts.length > 0) &&
    (agent === undefined || agent.includes(run.program ?? run.format)) &&
    (run.endedAt ?? since) >= since
}

/** Whether a text has another in it, in capitals or not; any has if none is asked for. */
function includes(part: string | undefined): (text: string | undefined) => boolean {
  if (part === undefined) return () => true
  const wanted = part.toLowerCase()
  return (text = '') => text.toLowerCase().includes(wanted)
}
