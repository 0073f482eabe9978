import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import type { Certainty, Finding, GuardOptions } from 'unloop'
import type { PresetName } from 'unloop/presets'
import { type CallFate, describeCost, describeOutcome, plural } from 'unloop/words'
import { checkStream } from '../check/check-stream.js'
import type { CliCommand } from '../commands.js'
import { guardOptionsOf } from '../config/guard-options.js'
import { type ConfigOptions, GUARD_PARTS, loadConfig } from '../config/load.js'
import { EXIT, type ExitCode, UsageError } from '../exit-code.js'
import { type Host, type Output, toOutput } from '../host.js'
import { createPaint } from '../paint.js'
import { printable } from '../printable.js'
import { ADVICE, troubleLines } from '../troubles.js'
import { explanationLines, oneLine, STATES } from '../words.js'
import { configOptions } from './config-options.js'
import { presetOption } from './preset-option.js'

interface Options extends ConfigOptions {
  json?: boolean
  preset?: PresetName
  explain?: boolean
}

/** `unloop check`: event lines in, findings out. */
export const check: CliCommand = {
  configure: (command: Command) =>
    configOptions(
      command
        .argument('<files...>', 'files with one event per line; - for stdin')
        .option('--json', 'print one JSON object per finding')
        .addOption(presetOption())
        .option('--explain', 'finally, show how close each detector was'),
    ).addHelpText('after', HELP),

  async run(host, files, options: Options) {
    const { config } = await loadConfig(host, options, GUARD_PARTS)
    const guardOptions = guardOptionsOf(config, options.preset)
    const results: ExitCode[] = []
    for (const file of files) results.push(await checkFile(host, file, guardOptions, options))
    return Math.max(...results)
  },
}

const HELP = `
An agent is stuck if it is certainly going in circles, and struggling if it only seems to be.
Exit codes: 0 not stuck, 1 stuck, 2 cannot be read. Struggling does not change the exit code.`

async function checkFile(
  host: Host,
  file: string,
  guardOptions: GuardOptions,
  options: Options,
): Promise<ExitCode> {
  const out = toOutput(host.stdout, host.env)
  const err = toOutput(host.stderr, host.env)
  const name = file === '-' ? 'stdin' : file
  let code: ExitCode = EXIT.quiet
  let named = 0
  try {
    const source = file === '-' ? host.stdin : createReadStream(file)
    for await (const item of checkStream(source, guardOptions)) {
      // the reader of our output is gone, so the rest is not needed
      if (out.isClosed) return code
      switch (item.type) {
        case 'finding': {
          const { line, finding, call } = item
          if (finding.certainty === 'certain') code = EXIT.found
          if (options.json) out.json({ file: name, line, finding })
          else print(out, `${name}:${line}`, finding, call)
          break
        }
        case 'bad':
          if (named < NAMED) err.line(`${name}:${item.line}: skipped: ${item.reason}`)
          if (named === NAMED) err.line(`${name}: more lines were skipped; not listing them`)
          named++
          break
        case 'version':
          throw new UsageError(
            `${name} has events of version ${JSON.stringify(item.version)}, and this command reads version 1; upgrade unloop`,
          )
        case 'end': {
          const { events, bad, loops, explanation, troubles } = item
          if (options.explain && options.json) {
            out.json({ file: name, explanation })
          } else if (options.explain) {
            out.line(`${name}: how close each detector was at the end`)
            for (const line of explanationLines(explanation)) out.line(`  ${line}`)
          }
          const lines = troubleLines(troubles)
          if (options.json && lines.length > 0) out.json({ file: name, ...troubles })
          for (const line of lines) err.line(`${name}: ${line}`)
          if (lines.length > 0) err.line(ADVICE)
          const passed = bad > 0 ? `, ${plural(bad, 'line')} skipped` : ''
          if (events === 0) {
            throw new UsageError(
              `${name} has no events${passed}; it needs one JSON event per line, such as {"type":"tool-call","name":"read"}; for recorded sessions, use unloop scan`,
            )
          }
          err.line(`${name}: ${countOf(loops) || 'no loop'} in ${plural(events, 'event')}${passed}`)
        }
      }
    }
  } catch (error) {
    const { code: reason, message } = error as NodeJS.ErrnoException
    if (!(error instanceof UsageError) && !reason?.startsWith('E')) throw error
    err.line(`unloop: ${reason === undefined ? message : `${name} cannot be read: ${message}`}`)
    return EXIT.misuse
  }
  return code
}

// more of them mean that it is the wrong file
const NAMED = 20

/** `stuck once, struggling 2 times` */
const countOf = (loops: Record<Certainty, number>) =>
  (['certain', 'likely'] as const)
    .filter((certainty) => loops[certainty] > 0)
    .map((certainty) => {
      const times = loops[certainty]
      return `${STATES[certainty]} ${times === 1 ? 'once' : plural(times, 'time')}`
    })
    .join(', ')

function print(out: Output, place: string, finding: Finding, call: CallFate | undefined): void {
  const paint = createPaint(out.isColoured)
  const { certainty, detector, detail, action, sample, advice, wasted } = finding
  const state = paint(certainty === 'certain' ? 'yellow' : 'dim', STATES[certainty])
  out.write(
    `${paint('bold', place)}: ${state}: ${paint('yellow', detector)}: ${printable(detail)}\n`,
  )
  if (sample) out.line(`  what    ${oneLine(printable(sample), 160)}`)
  out.line(`  cost    ${describeCost(wasted)}`)
  out.line(`  action  ${action}: ${describeOutcome(finding, { call })}`)
  out.line(`  advice  ${oneLine(advice, 240)}`)
}
