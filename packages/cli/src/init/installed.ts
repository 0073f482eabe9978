import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { InstalledFile, Scope } from '../coding-agents/install.js'
import type { Host } from '../host.js'
import { findProgram } from './find-program.js'
import { commandsIn, eventsWith } from './hook-entries.js'
import { isOursFor, placeOf } from './ours.js'
import { readTarget, textOf } from './target.js'

/** A file that has our hook, and the command it runs. */
export interface Installed {
  path: string
  command: string
  /** what the agent gives to the shell: the command, or the script that has it */
  run: string
  /** the events of which it is told */
  events: string[]
}

/** The files with our hook. Throws a `UsageError` if one of them cannot be read. */
export function findInstalled(host: Host, agent: CodingAgent, scope: Scope): Installed[] {
  return agent.install.files(scope, placeOf(host), '').flatMap((file) => {
    const { commands, events } = hooksOf(host, agent, file)
    const [command] = commands
    const { path } = file
    const run = file.type === 'script' ? `"${path}"` : command
    return command === undefined || run === undefined ? [] : [{ path, command, run, events }]
  })
}

/** The events of which a complete hook is told. */
export const wantedEvents = (host: Host, agent: CodingAgent): string[] =>
  agent.install.files('user', placeOf(host), '').flatMap(eventsOf)

/** Whether the agent is on this machine. */
export const isHere = (host: Host, agent: CodingAgent): boolean =>
  findProgram(host, agent.program) !== undefined || existsSync(agent.install.home(placeOf(host)))

function hooksOf(host: Host, agent: CodingAgent, file: InstalledFile) {
  const target = readTarget(file.path)
  if (!target.bytes) return { commands: [], events: [] }
  const { text } = textOf(target)
  const isOurs = isOursFor(host, agent)
  if (file.type === 'entries') {
    const commands = commandsIn(text, file.path, isOurs)
    return { commands, events: eventsWith(text, file.path, isOurs) }
  }
  const quoted = /^const COMMAND = (".*")$/m.exec(text)?.[1]
  const command = quoted ? parsed(quoted) : /^answer=\$\((.*) 2>/m.exec(text)?.[1]
  const commands = command !== undefined && isOurs(command) ? [command] : []
  return { commands, events: eventsOf(file) }
}

const eventsOf = (file: InstalledFile): string[] =>
  file.type === 'entries' ? Object.keys(file.events) : [basename(file.path)]

function parsed(json: string): string | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return
  }
}
