import { writeFile } from 'node:fs/promises'
import { availableParallelism, homedir } from 'node:os'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { GuardOptions } from 'unloop'
import type { CliCommand } from '../commands.js'
import { loadConfig } from '../config/load.js'
import { EXIT, UsageError } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'
import { toLeast, toSince } from '../scan/amounts.js'
import { withLoops, withoutCopies } from '../scan/copies.js'
import { PRICES_DATE } from '../scan/prices.js'
import { isNoTranscript, withPath } from '../scan/problem.js'
import { createProgress } from '../scan/progress.js'
import { redactRun } from '../scan/redact-report.js'
import type { RunReport, ScanReport } from '../scan/run-report.js'
import { scanAll } from '../scan/scan-all.js'
import { checkAgents, selectTranscripts, unreadable } from '../scan/select.js'
import { FORMATS, type FormatName, toFormat } from '../scan/to-format.js'
import { toList } from './list-option.js'
import { presetOption } from './preset-option.js'

interface Options {
  since?: string
  agent?: string[]
  project?: string
  preset?: GuardOptions['preset']
  minWasted?: string
  jobs?: number
  format?: FormatName
  html?: string
  output?: string
  showRaw?: boolean
  exitZero?: boolean
  watch?: boolean
  exec?: string
  notify?: boolean
  config?: string
}

/** `unloop scan`: what the agents on this machine have recorded, and where they got stuck. */
export const scan: CliCommand = {
  configure: (command: Command) =>
    command
      .argument(
        '[paths...]',
        'transcripts or folders of them; by default all that are found on this machine',
      )
      .option('--since <when>', 'only what was written since: 12h, 30d, or a date')
      .option('--agent <names>', 'only runs of these agents, such as claude-code,codex', toList)
      .option('--project <text>', 'only runs whose project has this in its path')
      .option('--min-wasted <amount>', 'only loops that cost so much: 10000 (tokens), 5m or $0.50')
      .addOption(presetOption())
      .option('--jobs <number>', 'threads to use', toCount)
      .addOption(
        new Option('--format <name>', 'how to print it').choices(FORMATS).default('pretty'),
      )
      .option('--html <file>', 'also write a report to look at in a browser')
      .option('-o, --output <file>', 'write there instead of to the terminal')
      .option('--show-raw', 'leave keys, addresses and home folders in what is quoted')
      .option('--exit-zero', 'end with 0 although loops were found')
      .option('--watch', 'go on reading as agents write, and tell of loops as they happen')
      .option(
        '--exec <command>',
        'with --watch: run this for each loop, the finding on its standard input',
      )
      .option('--no-notify', 'with --watch: no notifications on the desktop')
      .option('--config <file>', 'the configuration; by default unloop.config.* from here upwards')
      .addHelpText('after', HELP),

  async run(host, paths, options: Options) {
    if (options.watch) return watched(host, paths, options)
    if (options.exec !== undefined) throw new UsageError('--exec needs --watch')
    const report = await scanned(host, paths, options)
    const out = toOutput(host.stdout, host.env)
    const format = {
      isColoured: out.isColoured && options.output === undefined,
      columns: host.stdout.columns ?? 120,
      home: homeOf(host),
      showRaw: options.showRaw === true,
    }
    const text = toFormat(options.format ?? 'pretty', report, format)
    if (options.output === undefined) out.write(text)
    else await save(host, options.output, text)
    if (options.html !== undefined) await save(host, options.html, toFormat('html', report, format))
    const isFound = report.runs.some(({ loops }) => loops.length > 0)
    if (report.runs.length === 0 && report.files.every(({ problem }) => problem)) {
      return report.files.length === 0 ? EXIT.quiet : EXIT.misuse
    }
    return isFound && !options.exitZero ? EXIT.found : EXIT.quiet
  },
}

const HELP = `
Nothing is sent anywhere, and nothing is remembered.
Exit codes: 0 no loops, 1 loops found, 2 misuse, or nothing could be read.`

/** What is about a report and not about what happens. */
const REPORT_OPTIONS = [
  ['since', '--since'],
  ['minWasted', '--min-wasted'],
  ['jobs', '--jobs'],
  ['html', '--html'],
  ['output', '--output'],
  ['exitZero', '--exit-zero'],
] as const

async function watched(host: Host, paths: readonly string[], options: Options) {
  const { format = 'pretty' } = options
  const useless = REPORT_OPTIONS.find(([name]) => options[name] !== undefined)
  if (useless) throw new UsageError(`--watch writes no report, so it takes no ${useless[1]}`)
  if (format !== 'pretty' && format !== 'jsonl') {
    throw new UsageError(`--watch prints pretty or jsonl, got ${format}`)
  }
  if (paths.length === 0) checkAgents(host, options.agent ?? [])
  const { path: config } = await loadConfig(host, options.config)
  const { runWatch } = await import('../scan/run-watch.js')
  return runWatch(
    host,
    paths.map((path) => resolve(host.cwd(), path)),
    {
      source: {
        ...(config !== undefined && { config }),
        ...(options.preset && { preset: options.preset }),
      },
      ...(options.agent && { agents: options.agent }),
      ...(options.project !== undefined && { project: options.project }),
      ...(options.exec !== undefined && { exec: options.exec }),
      json: format === 'jsonl',
      showRaw: options.showRaw === true,
      notify: options.notify !== false && host.stdout.isTTY === true,
    },
  )
}

async function scanned(
  host: Host,
  paths: readonly string[],
  options: Options,
): Promise<ScanReport> {
  const err = toOutput(host.stderr, host.env)
  if (paths.length === 0) checkAgents(host, options.agent ?? [])
  const { path: config } = await loadConfig(host, options.config)
  const since = options.since === undefined ? undefined : toSince(options.since, Date.now())
  const isCostly = options.minWasted === undefined ? undefined : toLeast(options.minWasted)
  const report: ScanReport = {
    schemaVersion: 1,
    scannedAt: new Date().toISOString(),
    pricesOf: PRICES_DATE,
    interrupted: false,
    files: [],
    runs: [],
  }
  if (paths.includes('-')) {
    throw new UsageError('scan reads files; for events on the standard input: unloop check -')
  }
  const named = new Set(paths.map((path) => resolve(host.cwd(), path)))
  const selected = await selectTranscripts(host, [...named], {
    ...(since !== undefined && { since }),
    ...(options.agent && { agents: options.agent }),
    onProblem({ path, message }) {
      err.line(`unloop: ${withPath(path, message)}`)
      report.files.push(unreadable(path, message))
    },
  })
  if (selected.length === 0 && paths.length === 0) {
    err.line(
      'No agent has recorded anything here that unloop knows of. Give it a path, or see unloop scan --help.',
    )
    return report
  }
  const sizes = new Map(selected.map(({ path, bytes }) => [path, bytes]))
  const bytes = selected.reduce((sum, one) => sum + one.bytes, 0)
  const progress = createProgress(err, selected.length, bytes)
  const abort = new AbortController()
  const interrupt = () => abort.abort()
  host.on('SIGINT', interrupt)
  const keep = toFilter(options, since)
  try {
    await scanAll(
      selected.map(({ path }) => path),
      {
        source: {
          ...(config !== undefined && { config }),
          ...(options.preset && { preset: options.preset }),
        },
        jobs: options.jobs ?? (bytes < SMALL ? 1 : availableParallelism()),
        signal: abort.signal,
        onRun(run) {
          if (!keep(run)) return
          const loops = isCostly ? run.loops.filter(({ wasted }) => isCostly(wasted)) : run.loops
          for (const _ of loops) progress.found()
          const kept = withLoops(run, loops)
          report.runs.push(options.showRaw ? kept : redactRun(kept, homeOf(host)))
        },
        onFile(file) {
          report.files.push(file)
          progress.add(sizes.get(file.path) ?? 0)
          // a folder may hold anything; a file that somebody named should be a transcript
          if (!file.problem || (isNoTranscript(file) && !named.has(file.path))) return
          progress.clear()
          err.line(`unloop: ${withPath(file.path, file.problem.message)}`)
        },
      },
    )
  } finally {
    host.off('SIGINT', interrupt)
    progress.clear()
  }
  report.interrupted = abort.signal.aborted
  // the same report whichever thread was first
  const byPath = (a: { path: string }, b: { path: string }) =>
    a.path === b.path ? 0 : a.path < b.path ? -1 : 1
  report.files.sort(byPath)
  report.runs = withoutCopies(report.runs).sort(
    (a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || byPath(a, b),
  )
  return report
}

// below this a thread costs more than it saves
const SMALL = 16e6

/** Which runs are wanted; those whose time or project is not known are, unless that was asked for. */
function toFilter(
  { project, agent }: Options,
  since: number | undefined,
): (run: RunReport) => boolean {
  return (run) =>
    (project === undefined || (run.project ?? '').toLowerCase().includes(project.toLowerCase())) &&
    (agent === undefined || agent.includes(run.program ?? run.format)) &&
    (since === undefined || run.endedAt === undefined || run.endedAt >= since)
}

const homeOf = (host: Host) => host.env.HOME ?? homedir()

async function save(host: Host, file: string, text: string): Promise<void> {
  const path = resolve(host.cwd(), file)
  try {
    // it quotes what was said and read; a file that is there keeps its mode
    await writeFile(path, text, { mode: 0o600 })
  } catch (error) {
    throw new UsageError(`the report cannot be written: ${(error as Error).message}`)
  }
  toOutput(host.stderr, host.env).line(`Written to ${path}`)
}

function toCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw new InvalidArgumentError('It takes a whole number of at least 1.')
}
