import { join } from 'node:path'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { Place } from '../coding-agents/install.js'
import { homeOf } from '../home-of.js'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'

/** Whether a command is one that we install for this agent. Longer ones that contain it belong to the person. */
export function isOursFor(host: Host, agent: CodingAgent): (command: string) => boolean {
  const launcher = launcherCommand(host, agent.name)
  const plain = [plainCommand(agent.name), launcher, launcher + BEFORE]
  const ours = new Set(plain.flatMap((command) => [command, ...writtenFor(host, agent, command)]))
  return (command) => ours.has(command)
}

/** The command where `unloop` is on the PATH. */
export const plainCommand = (agent: string): string => `unloop hook ${agent}`

/** The command with the path of the launcher, which is quiet when unloop is gone. */
export const launcherCommand = (host: Host, agent: string): string =>
  `${quoted(host, launcherPaths(host).launcher)} hook ${agent}`

/** Added to the command of the launcher for calls that are announced: it may let them run without a process. */
export const BEFORE = ' --before'

/** Where the copy of the hook is, and the program that runs it. */
export function launcherPaths(host: Host) {
  const folder = join(stateFolder(host), 'bin')
  const name = host.platform === 'win32' ? 'unloop.cmd' : 'unloop'
  return { folder, launcher: join(folder, name), bundle: join(folder, 'hook.cjs') }
}

/** Where files of agents are, for this person and this folder. */
export const placeOf = (host: Host): Place => ({
  home: homeOf(host),
  project: host.cwd(),
  env: host.env,
})

/** The command as it stands in the entries of an agent, which may add something for its shell. */
const writtenFor = (host: Host, { install }: CodingAgent, command: string): string[] =>
  install
    .files('user', placeOf(host), command)
    .flatMap((file) => (file.type === 'entries' ? Object.values(file.events) : []))
    .flatMap((entry: Handler) => {
      const { command, bash } = entry.hooks?.[0] ?? entry
      return command ?? bash ?? []
    })

interface Handler {
  hooks?: Handler[]
  command?: string
  bash?: string
}

const quoted = ({ platform }: Host, path: string) =>
  platform === 'win32' ? `"${path}"` : `"${path.replace(/[\\"$`]/g, '\\$&')}"`
