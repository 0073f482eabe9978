import type { Command } from 'commander'
import { createGuardSource } from '../acp/guard-source.js'
import { runProxy } from '../acp/proxy.js'
import type { CliCommand } from '../commands.js'
import type { ConfigOptions } from '../config/load.js'
import { type Host, toOutput } from '../host.js'
import { configOptions } from './config-options.js'

/** `unloop acp`: guards an agent that an editor talks to. */
export const acp: CliCommand = {
  configure: (command: Command) =>
    configOptions(
      command.argument('<command...>', 'the agent, after --, as the editor would start it'),
    ).addHelpText('after', HELP),

  async run(host, command, options: ConfigOptions) {
    const report = createReport(host)
    return runProxy(host, command, await createGuardSource(host, options, report), report)
  },
}

// a fault that is new each time must not fill the log
const MAX_REPORTS = 20

/** Tells each thing once, where editors keep the agent's log. */
function createReport(host: Host): (words: string) => void {
  const told = new Set<string>()
  return (words) => {
    if (told.has(words) || told.size >= MAX_REPORTS) return
    told.add(words)
    toOutput(host.stderr, host.env).line(words)
  }
}

const HELP = `
Stands between an editor and an agent that speaks the Agent Client Protocol, and stops the agent
when it is stuck. Everything else passes unchanged. Use it in place of the agent's command in the
settings of the editor. The exit code is that of the agent.

  unloop acp -- gemini --acp
  unloop acp -- opencode acp
  unloop acp --config ~/unloop.config.json -- npx @agentclientprotocol/claude-agent-acp`
