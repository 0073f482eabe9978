import { appendFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CliCommand } from '../commands.js'
import { GUARD_PARTS, loadConfig } from '../config/load.js'
import { EXIT, UsageError } from '../exit-code.js'
import { homeOf } from '../home-of.js'
import { type Host, toOutput } from '../host.js'
import { readBaseline, toBaseline } from '../scan/baseline.js'
import { toCard } from '../scan/formats/card.js'
import { toGithubSummary } from '../scan/formats/github.js'
import { makeReport, type ReportOptions } from '../scan/make-report.js'
import { createCleaner } from '../scan/redact.js'
import { type FileReport, isNewlyStuck, type ScanReport } from '../scan/run-report.js'
import { checkAgents } from '../scan/select.js'
import { FORMATS, type FormatName, toFormat } from '../scan/to-format.js'
import { configOptions } from './config-options.js'
import { toList } from './list-option.js'
import { presetOption } from './preset-option.js'

interface Options extends ReportOptions {
  format?: FormatName
  html?: string
  card?: string
  output?: string
  top?: number
  exitZero?: boolean
  merge?: boolean
  parquet?: string
  baseline?: string
  writeBaseline?: string
  watch?: boolean
  exec?: string
  notify?: boolean
}

/** `unloop scan`: what the agents on this machine have recorded, and where they got stuck. */
export const scan: CliCommand = {
  configure: (command: Command) =>
    configOptions(
      command
        .argument(
          '[paths...]',
          'transcripts, or folders with transcripts (default: all on this machine)',
        )
        .option('--since <when>', 'only sessions written to since then: 12h, 30d, or a date')
        .option('--agent <names>', 'only these agents, such as claude-code,codex', toList)
        .option('--project <text>', 'only projects with this text in their path')
        .option('--model <text>', 'only what models with this text in their name spent')
        .option('--top <number>', 'rows of each table, and loops, to show', toCount)
        .option(
          '--prices <file>',
          'a price list of your own: { "model": { "input_cost_per_token": … } }, as LiteLLM has it',
        )
        .option(
          '--min-wasted <amount>',
          'only loops that cost at least 10000 (tokens), 5m or $0.50',
        )
        .addOption(presetOption())
        .option('--jobs <number>', 'number of threads', toCount)
        .addOption(
          new Option('--format <name>', 'output format').choices(FORMATS).default('pretty'),
        )
        .option('--html <file>', 'also write a report for the browser')
        .option('--parquet <folder>', 'also write runs, findings and parts as Parquet')
        .option('--card <file>', 'also write a picture of the worst loop (SVG): only numbers')
        .option('-o, --output <file>', 'write to this file instead of the terminal')
        .option('--show-raw', 'do not mask keys, addresses and home folders in quotes')
        .option('--merge', 'the paths are JSON reports: merge them into one')
        .option('--baseline <file>', 'loops in this file are known, and do not fail')
        .option('--write-baseline <file>', 'write the loops that were found to a baseline')
        .option('--exit-zero', 'exit with 0 even if an agent was stuck')
        .option('--watch', 'keep watching, and report loops as they happen')
        .option(
          '--exec <command>',
          'with --watch: run this when an agent gets stuck, with the finding on stdin',
        )
        .option('--no-notify', 'with --watch: no desktop notifications'),
    ).addHelpText('after', HELP),

  async run(host, paths, options: Options) {
    if (options.watch) return watched(host, paths, options)
    if (options.exec !== undefined) throw new UsageError('--exec needs --watch')
    const known =
      options.baseline === undefined
        ? undefined
        : await readBaseline(resolve(host.cwd(), options.baseline))
    let isMisled = false
    const report = options.merge
      ? await merged(host, paths, options, known)
      : await makeReport(host, paths, {
          ...options,
          ...(known && { known }),
          onUnread: () => {
            isMisled = true
          },
        })
    const out = toOutput(host.stdout, host.env)
    const format = {
      isColoured: out.isColoured && options.output === undefined,
      columns: host.stdout.columns ?? 80,
      top: options.top,
      home: homeOf(host),
      showRaw: options.showRaw === true,
    }
    const text = toFormat(options.format ?? 'pretty', report, format)
    if (options.output === undefined) out.write(text)
    else await save(host, options.output, text)
    const summary = host.env.GITHUB_STEP_SUMMARY
    if (options.format === 'github' && summary) await summarize(summary, report)
    if (options.html !== undefined) await save(host, options.html, toFormat('html', report, format))
    if (options.parquet !== undefined) await exportParquet(host, options.parquet, report)
    if (options.card !== undefined) await saveCard(host, options.card, report)
    if (options.writeBaseline !== undefined) {
      if (report.interrupted) throw new UsageError('interrupted, so the baseline was not written')
      await save(host, options.writeBaseline, toBaseline(report.runs))
    }
    // what was just written is known
    const isFound = options.writeBaseline === undefined && report.runs.some(isNewlyStuck)
    const { files } = report
    if (isMisled || (files.length > 0 && files.every(isUnread))) return EXIT.misuse
    return isFound && !options.exitZero ? EXIT.found : EXIT.quiet
  },
}

const isUnread = ({ problem, used }: FileReport) => problem !== undefined && used === 0

const HELP = `
Nothing is sent anywhere, and nothing is stored.
A run is stuck if it certainly went in circles, and struggling if it only seemed to.
Exit codes: 0 no run is stuck, 1 at least one is, 2 misuse, or a path that was named could not be read.
Struggling does not change the exit code.`

/** What decides about what is read. */
const READING_OPTIONS = [
  ['since', '--since'],
  ['agent', '--agent'],
  ['project', '--project'],
  ['model', '--model'],
  ['prices', '--prices'],
  ['minWasted', '--min-wasted'],
  ['preset', '--preset'],
  ['jobs', '--jobs'],
] as const

async function merged(
  host: Host,
  paths: readonly string[],
  options: Options,
  known: ReadonlySet<string> | undefined,
) {
  const useless = READING_OPTIONS.find(([name]) => options[name] !== undefined)
  if (useless) throw new UsageError(`--merge takes reports as they are, without ${useless[1]}`)
  if (paths.length === 0)
    throw new UsageError('--merge needs reports: unloop scan --merge a.json b.json')
  const { mergeReports } = await import('../scan/merge.js')
  return mergeReports(
    paths.map((path) => resolve(host.cwd(), path)),
    { clean: createCleaner(homeOf(host), options.showRaw), ...(known && { known }) },
  )
}

/** What is about a report and not about what happens. */
const REPORT_OPTIONS = [
  ['since', '--since'],
  ['model', '--model'],
  ['top', '--top'],
  ['prices', '--prices'],
  ['minWasted', '--min-wasted'],
  ['jobs', '--jobs'],
  ['html', '--html'],
  ['card', '--card'],
  ['output', '--output'],
  ['exitZero', '--exit-zero'],
  ['merge', '--merge'],
  ['parquet', '--parquet'],
  ['baseline', '--baseline'],
  ['writeBaseline', '--write-baseline'],
] as const

async function watched(host: Host, paths: readonly string[], options: Options) {
  const { format = 'pretty' } = options
  const useless = REPORT_OPTIONS.find(([name]) => options[name] !== undefined)
  if (useless)
    throw new UsageError(`--watch writes no report, so it cannot be used with ${useless[1]}`)
  if (format !== 'pretty' && format !== 'jsonl') {
    throw new UsageError(`--watch prints pretty or jsonl, got ${format}`)
  }
  if (paths.length === 0) checkAgents(host, options.agent ?? [])
  const { source: config } = await loadConfig(host, options, GUARD_PARTS)
  const { runWatchCommand } = await import('../scan/watch-command.js')
  return runWatchCommand(
    host,
    paths.map((path) => resolve(host.cwd(), path)),
    {
      source: {
        config,
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

/** Loaded only if it is asked for. */
async function exportParquet(host: Host, folder: string, report: ScanReport): Promise<void> {
  const { writeParquet } = await import('../scan/parquet/write-parquet.js')
  try {
    const paths = await writeParquet(resolve(host.cwd(), folder), report)
    for (const path of paths) toOutput(host.stderr, host.env).line(`Written to ${path}`)
  } catch (error) {
    throw new UsageError(`cannot write Parquet: ${(error as Error).message}`)
  }
}

/** Adds the summary to that of the step. */
async function summarize(file: string, report: ScanReport): Promise<void> {
  try {
    await appendFile(file, toGithubSummary(report))
  } catch (error) {
    throw new UsageError(`cannot write GITHUB_STEP_SUMMARY: ${(error as Error).message}`)
  }
}

async function saveCard(host: Host, file: string, { runs }: ScanReport): Promise<void> {
  const card = toCard(runs)
  if (card !== undefined) return save(host, file, card)
  toOutput(host.stderr, host.env).line(
    `No run was stuck, so there is no loop for a card; ${file} was not written.`,
  )
}

async function save(host: Host, file: string, text: string): Promise<void> {
  const path = resolve(host.cwd(), file)
  try {
    // it quotes what was said and read; a file that is there keeps its mode
    await writeFile(path, text, { mode: 0o600 })
  } catch (error) {
    throw new UsageError(`cannot write the report: ${(error as Error).message}`)
  }
  toOutput(host.stderr, host.env).line(`Written to ${path}`)
}

function toCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw new InvalidArgumentError('It must be a whole number of at least 1.')
}
