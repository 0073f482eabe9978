import type { Stats } from 'node:fs'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'
import { upToAgent } from '../surrounding-agent.js'

type Around = ReturnType<typeof upToAgent>

/**
 * Whether this event comes from a command of the agent, and not from the agent: a shell between the two gives the hook what it reads.
 * Agents run hooks in a shell, too, but give them the event themselves. Known on Linux only, and only of a hook with the state of the agent's own.
 */
export function isMadeUp(
  host: Pick<Host, 'env' | 'ppid' | 'platform'>,
  input: Pick<Stats, 'isFile' | 'nlink'>,
  around: Around = upToAgent(host),
): boolean {
  const agent = around.at(-1)
  if (!agent) return false
  const isFed = around.slice(0, -1).some(({ words }) => words.some(feedsHook))
  // the shell of a launcher may keep a long event in a file, which has no name by now
  if (!isFed && !(input.isFile() && input.nlink > 0)) return false
  return stateFolder({ ...host, env: agent.env() }) === stateFolder(host)
}

/** Whether a line of a shell gives a hook something to read; a copy of what the agent tells, as for a log, is the same. */
function feedsHook(line: string): boolean {
  const at = line.search(/\bhook(?:\.cjs["']?)? [a-z-]/)
  if (at < 0) return false
  const before = line.slice(0, at)
  const hasPipe = /[^|]\|[^|]/.test(before) && !/^\s*(?:tee\b|cat\s*\|)/.test(before)
  return hasPipe || before.includes('<') || /^[^|;&\n]*</.test(line.slice(at))
}
