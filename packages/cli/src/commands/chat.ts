import { GUARD_MODES, guardModeProblem, isGuardMode } from '@unloop/agent/guard-mode'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ChatOptions } from '../chat/options.js'
import type { CliCommand } from '../commands.js'
import { configOptions } from './config-options.js'
import { presetOption } from './preset-option.js'

/** `unloop chat`: in the terminal, or headless with a prompt or without a terminal. */
export const chat: CliCommand = {
  configure: (command: Command) =>
    configOptions(
      command
        .option('-p, --prompt <text>', 'answer this prompt and exit; stdin is appended to it')
        .option('--json', 'headless: print every event as a line of JSON')
        .option('-m, --model <name>', 'provider/name (default: the embedded model)')
        .option('--base-url <url>', 'address of the provider')
        .addOption(guardOption())
        .addOption(presetOption())
        .option('--max-turns <number>', 'maximum number of turns per prompt', toCount)
        .option('--yes', 'headless: run tools without asking')
        .option(
          '--resume [id]',
          'continue the last conversation in this folder, or the one with this id',
        )
        .option('--save', 'headless: save the conversation')
        .option('--no-save', 'do not save the conversation'),
    ).addHelpText('after', HELP),

  async run(host, _args, options: ChatOptions) {
    const isHeadless = options.prompt !== undefined || options.json || !host.stdin.isTTY
    if (isHeadless || !host.stdout.isTTY) {
      const { runHeadless } = await import('../chat/headless.js')
      return runHeadless(host, options)
    }
    const { runTerminal } = await withEnv(host.env, () => import('../chat/terminal.js'))
    return runTerminal(host, options)
  },
}

/**
 * React and Ink look at the environment once, when they are loaded: React's development build is slow and
 * keeps a measurement of every frame, and in CI Ink draws nothing but the end, although here is a terminal.
 * The commands that the agent runs see it as it was.
 */
async function withEnv<T>(env: NodeJS.ProcessEnv, load: () => Promise<T>): Promise<T> {
  const { NODE_ENV, CI } = env
  env.NODE_ENV = 'production'
  delete env.CI
  try {
    return await load()
  } finally {
    if (NODE_ENV === undefined) delete env.NODE_ENV
    else env.NODE_ENV = NODE_ENV
    if (CI !== undefined) env.CI = CI
  }
}

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
