import type { Command } from 'commander'
import type { ExitCode } from './exit-code.js'
import type { Host } from './host.js'

/** One subcommand: what it takes, and what it does with it. */
export interface CliCommand {
  /** Adds its arguments, options and help to the command of that name. */
  configure(command: Command): Command
  run(host: Host, args: readonly string[], options: Record<string, unknown>): Promise<ExitCode>
}

/** A subcommand before its file is loaded. */
export interface CommandEntry {
  name: string
  description: string
  load(): Promise<CliCommand>
}

/** Every subcommand, in the order of the help; each file is loaded when it is asked for. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    description: 'guard the coding agents on this machine',
    load: async () => (await import('./commands/init.js')).init,
  },
  {
    name: 'doctor',
    description: 'check that the coding agents on this machine are guarded',
    load: async () => (await import('./commands/doctor.js')).doctor,
  },
  {
    name: 'chat',
    description: 'talk to a guarded agent, in the terminal or headless',
    load: async () => (await import('./commands/chat.js')).chat,
  },
  {
    name: 'check',
    description: "read an agent's events and report its loops",
    load: async () => (await import('./commands/check.js')).check,
  },
  {
    name: 'scan',
    description: 'find stuck runs in recorded sessions',
    load: async () => (await import('./commands/scan.js')).scan,
  },
  {
    name: 'tune',
    description: 'replay recorded sessions with other limits',
    load: async () => (await import('./commands/tune.js')).tune,
  },
  {
    name: 'run',
    description: 'run an agent in a script, and end it when it is stuck',
    load: async () => (await import('./commands/run.js')).run,
  },
  {
    name: 'sessions',
    description: 'list the sessions of agents that hooks guard',
    load: async () => (await import('./commands/sessions.js')).sessions,
  },
  {
    name: 'session',
    description: 'let a guarded session continue, or change how it is guarded',
    load: async () => (await import('./commands/session.js')).session,
  },
  {
    name: 'hook',
    description: 'guard one event of an agent; agents run it, see init',
    load: async () => (await import('./commands/hook.js')).hookCommand,
  },
  {
    name: 'acp',
    description: 'guard an agent that runs in an editor (Agent Client Protocol)',
    load: async () => (await import('./commands/acp.js')).acp,
  },
  {
    name: 'gateway',
    description: 'guard all agents that talk to their providers through one address',
    load: async () => (await import('./commands/gateway.js')).gateway,
  },
  {
    name: 'trust',
    description: 'review the configuration of a folder and trust it',
    load: async () => (await import('./commands/trust.js')).trust,
  },
  {
    name: 'completion',
    description: 'print a shell completion script',
    load: async () => (await import('./commands/completion.js')).completion,
  },
]
