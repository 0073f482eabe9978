import { GUARD_MODES, guardModeProblem, isGuardMode } from '@unloop/agent/guard-mode'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ChatOptions } from '../chat/options.js'
import type { CliCommand } from '../commands.js'
import type { Host } from '../host.js'
import { configOptions } from './config-options.js'
import { presetOption } from './preset-option.js'

/** `unloop chat`: in the terminal, or headless with a prompt or without a terminal. */
export const chat: CliCommand = {
  configure: (command: Command) =>
    configOptions(
      command
        .argument('[prompt...]', 'what to send first; without a terminal it is answered headless')
        .option('-p, --prompt <text>', 'answer this prompt and exit; stdin is appended to it')
        .option('--json', 'headless: print every event as a line of JSON')
        .option('-m, --model <name>', 'provider/name (default: the embedded model)')
        .option('--base-url <url>', 'address of the provider')
        .addOption(guardOption())
        .addOption(presetOption())
        .option('--max-turns <number>', 'maximum number of turns per prompt', toCount)
        .option('--yes', 'headless: run tools without asking')
        .option(
          '--resume [name]',
          'continue the last conversation in this folder, or the one with this id or name',
        )
        .option('--save', 'headless: save the conversation')
        .option('--no-save', 'do not save the conversation')
        .option('--debug <file>', 'append what happens to this file, as lines of JSON'),
    ).addHelpText('after', HELP),

  async run(host, words, given: ChatOptions) {
    const request = words.join(' ').trim()
    const options = request === '' ? given : { ...given, request }
    const isHeadless = options.prompt !== undefined || options.json || !host.stdin.isTTY
    if (isHeadless || !host.stdout.isTTY) {
      const { runHeadless } = await import('../chat/headless.js')
      return runHeadless(host, options)
    }
    if (isDumb(host)) {
      const { runPlain } = await import('../chat/plain/run-plain.js')
      return runPlain(host, options)
    }
    const { runTerminal } = await import('../chat/terminal.js')
    return runTerminal(host, options)
  },
}

/** Whether the terminal cannot move its cursor, as in an editor's shell. */
const isDumb = ({ env, platform }: Host) =>
  env.TERM === 'dumb' || (env.TERM === undefined && platform !== 'win32')

const HELP = `
Models: embedded, openai/…, anthropic/…, google/…, ollama/…, lmstudio/…, vllm/…, compatible/…
"/stuck KIND" as a prompt makes the embedded model get stuck; KIND is the name of a detector.
Exit codes: 0 done, 2 misuse, 3 stopped by a loop (headless), 4 the model failed (headless).`

const guardOption = () =>
  new Option('--guard <mode>', 'act on loops, only record them, or do not look for them')
    .choices(GUARD_MODES)
    .argParser((mode) => {
      if (isGuardMode(mode)) return mode
      throw new InvalidArgumentError(`It ${guardModeProblem(mode)}.`)
    })

function toCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw new InvalidArgumentError('It must be a whole number of at least 1.')
}
