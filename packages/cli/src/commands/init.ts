import type { CliCommand } from '../commands.js'
import { UsageError } from '../exit-code.js'
import { type InitOptions, init as runInit } from '../init/init.js'

/** `unloop init`: puts the guard into the coding agents of this machine. */
export const init: CliCommand = {
  configure: (command) =>
    command
      .argument('[agents...]', 'which agents (default: those on this machine)')
      .option('--user', 'for all your projects (default)')
      .option('--project', 'for everybody who works in this folder')
      .option('--yes', 'write without asking')
      .option('--dry-run', 'show what would be written, and write nothing')
      .option('--remove', 'remove the hooks and restore the files')
      .option('--json', 'print JSON, and ask nothing')
      .addHelpText('after', HELP),

  run(host, agents, options: InitOptions) {
    if (options.user && options.project) {
      throw new UsageError('--user and --project cannot be combined')
    }
    return runInit(host, agents, options)
  },
}

const HELP = `
Agents: claude-code, codex, gemini-cli, qwen-code, opencode, cursor, copilot, cline.

Adds a hook to the settings of each agent, and leaves everything else in these files as it is.
You see every line before it is written. The hook tells unloop what the agent does; unloop warns
the model, refuses a repeated call, and stops the run. If anything goes wrong, the agent continues.

  unloop init                      find the agents on this machine, show the changes, ask
  unloop init claude-code codex    only these
  unloop init --project            in this folder, for everybody who works here
  unloop init --dry-run            show the changes, write nothing
  unloop init --remove             restore the files
  unloop doctor                    check that the hooks work

Exit codes: 0 done, or nothing to do; 1 not done for an agent, or you said no; 2 misuse, or there
is no terminal to ask in and no --yes.`
