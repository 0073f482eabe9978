import type { Command } from 'commander'
import { codingAgents } from '../coding-agents/index.js'
import type { CliCommand } from '../commands.js'
import { hook } from '../hook/hook.js'

/** `unloop hook AGENT`, as the help shows it; `bin/unloop.js` starts it without the rest of the command. */
export const hookCommand: CliCommand = {
  configure: (command: Command) =>
    command
      .argument('<agent>', codingAgents.map(({ name }) => name).join(', '))
      .addHelpText('after', HELP),

  async run(host, [agent]) {
    let input = ''
    for await (const piece of host.stdin.setEncoding('utf8')) input += piece
    const { stdout, exitCode = 0 } = hook(host, agent, input)
    if (stdout) host.stdout.write(JSON.stringify(stdout))
    return exitCode
  },
}

const HELP = `
Reads one event of the agent as JSON and answers as the agent expects. Whatever goes wrong, the agent
continues: no output, exit code 0, and a line in hook.log in the state folder of unloop.
To put it into an agent, run: unloop init`
