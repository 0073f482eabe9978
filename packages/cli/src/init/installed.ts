import { existsSync } from 'node:fs'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { InstalledFile, Scope } from '../coding-agents/install.js'
import type { Host } from '../host.js'
import { findProgram } from './find-program.js'
import { commandsIn } from './hook-entries.js'
import { isOursFor, placeOf } from './ours.js'
import { readTarget, textOf } from './target.js'

/** A file that has our hook, and the command it runs. */
export interface Installed {
  path: string
  command: string
  /** what the agent gives to the shell: the command, or the script that has it */
  run: string
}

/** The files with our hook. Throws a `UsageError` if one of them cannot be read. */
export function findInstalled(host: Host, agent: CodingAgent, scope: Scope): Installed[] {
  return agent.install.files(scope, placeOf(host), '').flatMap((file) => {
    const [command] = commandsOf(host, agent, file)
    const { path } = file
    const run = file.type === 'script' ? `"${path}"` : command
    return command === undefined || run === undefined ? [] : [{ path, command, run }]
  })
}

/** Whether the agent is on this machine. */
export const isHere = (host: Host, agent: CodingAgent): boolean =>
  findProgram(host, agent.program) !== undefined || existsSync(agent.install.home(placeOf(host)))

function commandsOf(host: Host, agent: CodingAgent, file: InstalledFile): string[] {
  const target = readTarget(file.path)
  if (!target.bytes) return []
  const { text } = textOf(target)
  if (file.type === 'entries') return commandsIn(text, file.path, isOursFor(host, agent))
  const quoted = /^const COMMAND = (".*")$/m.exec(text)?.[1]
  const command = quoted ? parsed(quoted) : /^answer=\$\((.*) 2>/m.exec(text)?.[1]
  return command !== undefined && isOursFor(host, agent)(command) ? [command] : []
}

function parsed(json: string): string | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return
  }
}
