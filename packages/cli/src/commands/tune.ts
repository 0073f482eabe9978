import { resolve } from 'node:path'
import type { Run } from '@unloop/transcripts'
import type { Command } from 'commander'
import type { CliCommand } from '../commands.js'
import { type ConfigOptions, GUARD_PARTS, loadConfig } from '../config/load.js'
import { EXIT, UsageError } from '../exit-code.js'
import { type Host, type Output, toOutput } from '../host.js'
import { createPaint } from '../paint.js'
import { showTokens, toSince } from '../scan/amounts.js'
import { toFailure, withPath } from '../scan/problem.js'
import { createProgress } from '../scan/progress.js'
import { checkAgents, selectTranscripts } from '../scan/select.js'
import { ADVICE, type FaultReport } from '../troubles.js'
import { type Outcome, replay } from '../tune/replay.js'
import { suggest } from '../tune/suggest.js'
import { createVariants, readChoice } from '../tune/variants.js'
import { type Limit, readTarget, writeLimits } from '../tune/write-config.js'
import { plural } from '../words.js'
import { configOptions } from './config-options.js'
import { toList } from './list-option.js'

interface Options extends ConfigOptions {
  since?: string
  agent?: string[]
  set?: string[]
  write?: string | true
  json?: boolean
}

/** `unloop tune`: what each limit would have done with the person's own history. */
export const tune: CliCommand = {
  configure: (command: Command) =>
    configOptions(
      command
        .argument(
          '[paths...]',
          'transcripts or folders of them; by default all that are found on this machine',
        )
        .option('--since <when>', 'only what was written since: 12h, 30d, or a date')
        .option('--agent <names>', 'only transcripts of these agents', toList)
        .option(
          '--set <limits>',
          'with --write: limits of your own: failing=6,call-cycle=4',
          toList,
        )
        .option(
          '--write [file]',
          'write what is suggested into a configuration; unloop.config.json if no file is given',
        )
        .option('--json', 'one JSON object for each limit'),
    ).addHelpText('after', HELP),

  async run(host, paths, options: Options) {
    const chosen = (options.set ?? []).map(readChoice)
    if (paths.length === 0) checkAgents(host, options.agent ?? [])
    if (chosen.length > 0 && options.write === undefined) {
      throw new UsageError('--set says what is written, so it needs --write')
    }
    const { config, path } = await loadConfig(host, options, GUARD_PARTS)
    const target = targetOf(host, options.write, path)
    // a replay may take minutes: whoever has to be told that nothing can be written is told first
    if (target !== undefined) readTarget(target)
    const outcomes: Outcome[] = createVariants(config).map((variant) => ({
      variant,
      flagged: 0,
      finished: 0,
      saved: { events: 0, tokens: 0 },
    }))
    const out = toOutput(host.stdout, host.env)
    const { runs, isInterrupted } = await replayAll(host, paths, options, outcomes)
    const suggested = suggest(outcomes)
    if (options.json) for (const outcome of outcomes) out.json(toRecord(outcome, suggested))
    else print(out, runs, outcomes, suggested)
    const limits = toLimits(suggested, chosen)
    if (isInterrupted) {
      toOutput(host.stderr, host.env).line('Interrupted: there is more, and nothing was written.')
    } else if (target !== undefined) write(host, target, limits)
    return EXIT.quiet
  },
}

const HELP = `
Each limit is tried alone. "finished" are runs that were flagged although they ended well by themselves: likely false
alarms. Suggested is the next more patient limit without one of those; for a stricter one, see the table and use --set.
Nothing is written without --write.
Exit codes: 0 done, 2 misuse, or nothing to replay.`

async function replayAll(
  host: Host,
  paths: readonly string[],
  options: Options,
  outcomes: Outcome[],
): Promise<{ runs: number; isInterrupted: boolean }> {
  const err = toOutput(host.stderr, host.env)
  const selected = await selectTranscripts(
    host,
    paths.map((path) => resolve(host.cwd(), path)),
    {
      ...(options.since !== undefined && { since: toSince(options.since, Date.now()) }),
      ...(options.agent && { agents: options.agent }),
      onProblem: ({ path, message }) => err.line(`unloop: ${withPath(path, message)}`),
    },
  )
  const progress = createProgress(err, selected)
  const abort = new AbortController()
  const interrupt = () => abort.abort()
  host.on('SIGINT', interrupt)
  let runs = 0
  const faults = new Set<string>()
  // without a path only places of these agents are looked at
  const isWanted = ({ program, format }: Run) =>
    paths.length === 0 || !options.agent || options.agent.includes(program ?? format)
  try {
    for (const { path } of selected) {
      if (abort.signal.aborted) break
      const onProgress = (bytes: number) => progress.reach(path, bytes)
      const onFault = ({ message }: FaultReport) => {
        if (faults.has(message)) return
        faults.add(message)
        progress.clear()
        err.line(`unloop: ${path}: ${message}`)
      }
      const how = { signal: abort.signal, isWanted, onFault, onProgress }
      runs += await replay(path, outcomes, how).catch((error) => {
        progress.clear()
        err.line(`unloop: ${withPath(path, toFailure(error).message)}`)
        return 0
      })
      progress.done(path)
    }
  } finally {
    host.off('SIGINT', interrupt)
    progress.clear()
  }
  if (faults.size > 0) err.line(ADVICE)
  if (runs === 0)
    throw new UsageError('there is nothing to replay; give it transcripts, or a longer --since')
  return { runs, isInterrupted: abort.signal.aborted }
}

function print(
  out: Output,
  runs: number,
  outcomes: readonly Outcome[],
  suggested: readonly Outcome[],
): void {
  const paint = createPaint(out.isColoured)
  out.write(
    `${paint('bold', 'limit                          value   flagged   finished   saved')}\n`,
  )
  let before = ''
  for (const outcome of outcomes) {
    const { variant, flagged, finished, saved } = outcome
    const name = `${variant.detector}.${variant.option}`
    const amount =
      saved.tokens > 0 ? `${showTokens(saved.tokens)} tokens` : plural(saved.events, 'event')
    const marks = [
      variant.isDefault && 'default',
      suggested.includes(outcome) && !variant.isDefault && 'suggested',
    ]
    const line = [
      (name === before ? '' : name).padEnd(28),
      `${variant.value}`.padStart(8),
      `${flagged}`.padStart(10),
      `${finished}`.padStart(11),
      `   ${flagged > 0 ? amount : ''}`.padEnd(18),
      marks.filter(Boolean).join(', '),
    ].join('')
    out.write(`${suggested.includes(outcome) ? paint('green', line.trimEnd()) : line.trimEnd()}\n`)
    before = name
  }
  const changes = suggested.filter(({ variant }) => !variant.isDefault)
  out.line()
  out.line(
    changes.length === 0
      ? `${plural(runs, 'run')} replayed: nothing speaks for other limits than the defaults.`
      : `${plural(runs, 'run')} replayed: ${plural(changes.length, 'limit')} could be changed; --write puts that into unloop.config.json.`,
  )
}

const toRecord = (
  { variant, flagged, finished, saved }: Outcome,
  suggested: readonly Outcome[],
) => ({
  schemaVersion: 1,
  detector: variant.detector,
  option: variant.option,
  value: variant.value,
  isDefault: variant.isDefault,
  isSuggested: suggested.some((one) => one.variant === variant),
  flagged,
  finished,
  saved,
})

/** What the person chose, and what is suggested where they chose nothing. */
function toLimits(suggested: readonly Outcome[], chosen: readonly Limit[]): Limit[] {
  const others = suggested
    .map(({ variant }) => variant)
    .filter(
      ({ isDefault, detector }) => !isDefault && !chosen.some((one) => one.detector === detector),
    )
  return [...others, ...chosen]
}

/** The file that is to be written, if one is: the given one, else the configuration, else a new one here. */
function targetOf(host: Host, given: string | true | undefined, config: string | undefined) {
  if (given === undefined) return
  if (given === true) return config ?? resolve(host.cwd(), 'unloop.config.json')
  return resolve(host.cwd(), given)
}

function write(host: Host, path: string, limits: readonly Limit[]): void {
  const err = toOutput(host.stderr, host.env)
  if (limits.length === 0) return err.line('Nothing to write.')
  writeLimits(path, limits)
  err.line(
    `Written to ${path}: ${limits.map(({ detector, option, value }) => `${detector}.${option} = ${value}`).join(', ')}`,
  )
}
