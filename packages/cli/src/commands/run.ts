import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { PresetName } from 'unloop/presets'
import type { CliCommand } from '../commands.js'
import { guardOptionsOf } from '../config/guard-options.js'
import { type ConfigOptions, GUARD_PARTS, loadConfig } from '../config/load.js'
import { UsageError } from '../exit-code.js'
import { supervise } from '../supervise/supervise.js'
import { configOptions } from './config-options.js'
import { presetOption } from './preset-option.js'

interface Options extends ConfigOptions {
  report?: string
  grace?: number
  preset?: PresetName
}

/** `unloop run -- COMMAND…`: guards an agent that works in a script. */
export const run: CliCommand = {
  configure: (command: Command) =>
    configOptions(
      command
        .usage('[options] -- COMMAND [ARGUMENTS...]')
        .argument('<command...>', 'the command of an agent that prints JSON lines')
        .option('--report <file>', 'write what happened as JSON, whether or not it was stopped')
        .option(
          '--grace <seconds>',
          'how long an agent that is stopped has to end',
          toSeconds,
          GRACE,
        )
        .addOption(presetOption()),
    )
      .showHelpAfterError('Put -- in front of the command: unloop run -- claude -p …')
      .addHelpText('after', HELP),

  async run(host, command, options: Options) {
    const { config } = await loadConfig(host, options, GUARD_PARTS)
    const report = options.report === undefined ? undefined : resolve(host.cwd(), options.report)
    if (report !== undefined) checkWritable(report)
    const { mode } = config
    return supervise(host, {
      command,
      guard: { ...guardOptionsOf(config, options.preset), ...(mode === 'observe' && { mode }) },
      isOff: mode === 'off',
      graceMs: (options.grace ?? GRACE) * 1000,
      report,
    })
  },
}

const HELP = `
Passes the agent's output through, byte for byte, and ends the agent when it is certainly going in
circles. The agent has to print JSON lines:

  unloop run -- claude -p "Fix the tests" --output-format stream-json --verbose
  unloop run -- codex exec --json "Fix the tests"
  unloop run -- gemini -p "Fix the tests" --output-format stream-json
  unloop run -- qwen -p "Fix the tests" --output-format stream-json
  unloop run --report run.json -- opencode run --format json "Fix the tests"

Exit codes: 3 stopped because it was stuck, 2 misuse, 126 the command cannot be executed, 127 there
is no such command; otherwise that of the command.`

// Claude Code takes a second and a half, the others less than half of one
const GRACE = 5

function toSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== '' && seconds >= 0 && seconds <= MAX_SECONDS) return seconds
  throw new InvalidArgumentError(`It has to be a number of seconds, from 0 to ${MAX_SECONDS}.`)
}

// an agent that takes longer than an hour to end does not end
const MAX_SECONDS = 3600

/** An agent should not work for an hour for a report that cannot be written. */
function checkWritable(path: string): void {
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    throw new UsageError(`the report cannot be written: ${(error as Error).message}`)
  }
}
