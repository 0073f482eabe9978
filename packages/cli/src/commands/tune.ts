import { dirname, resolve } from 'node:path'
import type { Run } from '@unloop/transcripts'
import type { Command } from 'commander'
import { plural, showTokens } from 'unloop/words'
import type { CliCommand } from '../commands.js'
import { findConfig } from '../config/find.js'
import { type ConfigOptions, GUARD_PARTS, loadConfig } from '../config/load.js'
import { EXIT, UsageError } from '../exit-code.js'
import { type Host, type Output, toOutput } from '../host.js'
import { createPaint } from '../paint.js'
import { toSince } from '../scan/amounts.js'
import { toFailure, withPath } from '../scan/problem.js'
import { createProgress } from '../scan/progress.js'
import { checkAgents, selectTranscripts } from '../scan/select.js'
import { ADVICE, type FaultReport } from '../troubles.js'
import { trustCommand } from '../trust/words.js'
import { type Profile, profiles, readProfile } from '../tune/profiles.js'
import { type Outcome, replay, startOutcome } from '../tune/replay.js'
import { suggest } from '../tune/suggest.js'
import { createVariants, readChoice, wholeVariants } from '../tune/variants.js'
import { type Limit, readTarget, writeLimits } from '../tune/write-config.js'
import { configOptions } from './config-options.js'
import { toList } from './list-option.js'

interface Options extends ConfigOptions {
  since?: string
  agent?: string[]
  set?: string[]
  for?: string
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
          'transcripts, or folders with transcripts (default: all on this machine)',
        )
        .option('--since <when>', 'only sessions written to since then: 12h, 30d, or a date')
        .option('--agent <names>', 'only these agents', toList)
        .option(
          '--set <limits>',
          'with --write: your own limits, such as failing=6,call-cycle=4',
          toList,
        )
        .option(
          '--for <whom>',
          `limits for ${profiles.map(({ name }) => name).join(', ')}; see below`,
        )
        .option(
          '--write [file]',
          'write the suggested limits to a configuration file (default: unloop.config.json)',
        )
        .option('--json', 'print one JSON object per limit'),
    ).addHelpText('after', HELP),

  async run(host, paths, options: Options) {
    const own = (options.set ?? []).map(readChoice)
    const profile = options.for === undefined ? undefined : readProfile(options.for)
    const chosen = [...(profile?.limits ?? []).filter((limit) => !isNamed(own, limit)), ...own]
    if (paths.length === 0) checkAgents(host, options.agent ?? [])
    if (own.length > 0 && options.write === undefined) {
      throw new UsageError('--set needs --write')
    }
    const { config, path } = await loadConfig(host, options, GUARD_PARTS)
    const target = targetOf(host, options.write, path)
    // a replay may take minutes: whoever has to be told that nothing can be written is told first
    if (target !== undefined) readTarget(target)
    const outcomes = [...wholeVariants(config, profile), ...createVariants(config)].map(
      startOutcome,
    )
    const out = toOutput(host.stdout, host.env)
    const { runs, isInterrupted } = await replayAll(host, paths, options, outcomes)
    const suggested = suggest(outcomes, runs)
    if (options.json) for (const outcome of outcomes) out.json(toRecord(outcome, suggested))
    else print(out, runs, outcomes, suggested, profile)
    const limits = toLimits(suggested, chosen)
    if (isInterrupted) {
      toOutput(host.stderr, host.env).line(
        'Interrupted: not everything was replayed, and nothing was written.',
      )
    } else if (target !== undefined) write(host, target, limits)
    return EXIT.quiet
  },
}

const HELP = `
The first row shows all limits together; the other rows try one limit at a time. "advised" counts runs in which the model
would have got advice, and "stopped" runs that would have been stopped. "well" counts those of them that finished well on their
own: probably false alarms. The suggestion is the next more patient limit that stops none of those and advises few. For a stricter
limit, see the table and use --set. Nothing is written without --write.

Who needs other limits (--for; docs/thresholds.md explains why):
${profiles.map(({ name, who, change }) => `  ${name.padEnd(14)} ${who}: ${change}`).join('\n')}

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
  if (runs === 0) throw new UsageError('nothing to replay; pass transcripts, or a longer --since')
  return { runs, isInterrupted: abort.signal.aborted }
}

function print(
  out: Output,
  runs: number,
  outcomes: readonly Outcome[],
  suggested: readonly Outcome[],
  profile: Profile | undefined,
): void {
  const paint = createPaint(out.isColoured)
  out.write(
    `${paint('bold', 'limit                              value   advised   well   stopped   well   saved')}\n`,
  )
  let before = ''
  const isQuiet = (name: string) =>
    outcomes.every(({ variant, advice }) => nameOf(variant) !== name || advice.runs === 0)
  for (const outcome of outcomes) {
    const { variant, advice, stops, saved } = outcome
    const name = nameOf(variant)
    if (variant.option && isQuiet(name)) continue
    const amount =
      saved.tokens > 0 ? `${showTokens(saved.tokens)} tokens` : plural(saved.events, 'event')
    const marks = [
      variant.isDefault && 'default',
      suggested.includes(outcome) && !variant.isDefault && 'suggested',
    ]
    const line = [
      (name === before ? '' : name).padEnd(32),
      `${variant.option ? variant.value : ''}`.padStart(8),
      `${advice.runs}`.padStart(10),
      `${advice.finished}`.padStart(7),
      `${stops.runs}`.padStart(10),
      `${stops.finished}`.padStart(7),
      `   ${advice.runs > 0 ? amount : ''}`.padEnd(18),
      marks.filter(Boolean).join(', '),
    ].join('')
    out.write(`${suggested.includes(outcome) ? paint('green', line.trimEnd()) : line.trimEnd()}\n`)
    before = name
  }
  const quiet = [...new Set(outcomes.map(({ variant }) => nameOf(variant)))].filter(isQuiet)
  if (quiet.length > 0) out.line(`\nNo run came close to these, at any value: ${quiet.join(', ')}.`)
  const changes = suggested.filter(({ variant }) => !variant.isDefault)
  out.line()
  out.line(
    changes.length === 0
      ? `${plural(runs, 'run')} replayed: the default limits fit.`
      : `${plural(runs, 'run')} replayed: ${plural(changes.length, 'limit')} could be changed; --write saves them to unloop.config.json.`,
  )
  if (profile) out.line(`For ${profile.who}: ${profile.limits.map(showLimit).join(', ')}.`)
}

const nameOf = ({ detector, option }: Outcome['variant']) =>
  option ? `${detector}.${option}` : detector

const showLimit = ({ detector, option, value }: Limit) => `${detector}.${option} = ${value}`

const toRecord = ({ variant, advice, stops, saved }: Outcome, suggested: readonly Outcome[]) => ({
  schemaVersion: 1,
  detector: variant.detector,
  option: variant.option,
  levels: variant.levels,
  value: variant.value,
  isDefault: variant.isDefault,
  isSuggested: suggested.some((one) => one.variant === variant),
  flagged: advice.runs,
  finished: advice.finished,
  stopped: stops.runs,
  stoppedFinished: stops.finished,
  saved,
})

/** What the person chose, and what is suggested where they chose nothing. */
function toLimits(suggested: readonly Outcome[], chosen: readonly Limit[]): Limit[] {
  const others = suggested
    .filter(({ variant }) => !variant.isDefault)
    .flatMap(({ variant }) => variant.limits)
    .filter((limit, index, all) => {
      // two suggestions may name the same limit; the more patient one serves both
      const same = all.filter((other) => isNamed([other], limit))
      const most = Math.max(...same.map(({ value }) => value))
      return (
        limit.value === most &&
        all.findIndex((other) => isNamed([other], limit) && other.value === most) === index
      )
    })
    .filter((limit) => !isNamed(chosen, limit))
  return [...others, ...chosen]
}

const isNamed = (
  limits: readonly Limit[],
  { detector, option }: Pick<Limit, 'detector' | 'option'>,
) => limits.some((limit) => limit.detector === detector && limit.option === option)

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
  err.line(`Written to ${path}: ${limits.map(showLimit).join(', ')}`)
  const file = findConfig(host, undefined, dirname(path))
  if (file?.path === path && !file.isOwn) {
    err.line(`Limits of a folder take effect once you trust them: ${trustCommand({ file })}`)
  }
}
