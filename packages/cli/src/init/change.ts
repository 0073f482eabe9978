import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { InstalledFile } from '../coding-agents/install.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { type Backup, hashOf, isAsWritten, readBackup } from './backups.js'
import { withEntries, withoutEntries } from './hook-entries.js'
import { isOursFor } from './ours.js'
import { readTarget, type Target, textOf } from './target.js'

/** One file that is to be written, changed or deleted. */
export interface Change {
  path: string
  /** as it is now */
  from: Buffer | undefined
  /** as it will be */
  to: Buffer | undefined
  /** for a new file */
  mode: number
  /** what to keep until it is restored; nothing when it is restored */
  backup: Backup | undefined
  /** folders to delete when they are empty, the innermost first */
  emptied: string[]
}

/** What it takes to have the hook in this file; nothing if it is there. */
export function installChange(
  host: Host,
  agent: CodingAgent,
  file: InstalledFile,
): Change | undefined {
  const target = readTarget(file.path)
  const { to, made } = installed(host, agent, file, target)
  if (target.bytes?.equals(to)) return
  const known = readBackup(host, target.path)
  const isOurState = known && target.bytes && isAsWritten(known, target.bytes)
  const backup: Backup = {
    before: isOurState ? known.before : withoutOurs(host, agent, file, target, known),
    folders: [...new Set([...(known?.folders ?? []), ...missingFolders(target.path)])],
    made: [...new Set([...(known?.made ?? []), ...made])],
    written: [...(isOurState ? known.written : []), hashOf(to)],
  }
  return { path: target.path, from: target.bytes, to, mode: modeOf(file), backup, emptied: [] }
}

/** What it takes to have this file as it was without us; nothing if we are not in it. */
export function removeChange(
  host: Host,
  agent: CodingAgent,
  file: InstalledFile,
): Change | undefined {
  const target = readTarget(file.path)
  const { path, bytes: from } = target
  if (!from) return
  const known = readBackup(host, path)
  const to =
    known && isAsWritten(known, from) ? known.before : withoutOurs(host, agent, file, target, known)
  if (to?.equals(from)) return
  const emptied = to ? [] : (known?.folders.toReversed() ?? [])
  return { path, from, to, mode: modeOf(file), backup: undefined, emptied }
}

function installed(host: Host, agent: CodingAgent, file: InstalledFile, target: Target) {
  if (file.type === 'entries') {
    const { mark, text } = textOf(target)
    const changed = withEntries(text, target.path, { ...file, isOurs: isOursFor(host, agent) })
    return { to: Buffer.from(mark + changed.text), made: changed.made }
  }
  if (target.bytes && !isOwnFile(agent, target.bytes)) {
    throw new UsageError(
      `cannot write ${target.path}: you have a file of that name, which is not from unloop; rename it, or call unloop from it`,
    )
  }
  return { to: Buffer.from(contentOf(file)), made: [] }
}

/** The file without what is ours. */
function withoutOurs(
  host: Host,
  agent: CodingAgent,
  file: InstalledFile,
  target: Target,
  known?: Backup,
) {
  if (!target.bytes) return
  if (file.type !== 'entries') return isOwnFile(agent, target.bytes) ? undefined : target.bytes
  const { mark, text } = textOf(target)
  const left = withoutEntries(text, target.path, isOursFor(host, agent), known?.made)
  const isBare = left.trim() === '{}' && left !== text
  return known && !known.before && isBare ? undefined : Buffer.from(mark + left)
}

const modeOf = (file: InstalledFile) => (file.type === 'script' ? 0o755 : 0o644)

const contentOf = (file: Exclude<InstalledFile, { type: 'entries' }>): string =>
  file.type === 'script'
    ? file.content
    : readFileSync(templatePath(file.template), 'utf8').replace(
        /^const COMMAND = .*$/m,
        () => `const COMMAND = ${JSON.stringify(file.command)}`,
      )

// the same from the sources and from dist
const templatePath = (name: string) =>
  fileURLToPath(new URL(`../../templates/${name}`, import.meta.url))

const isOwnFile = (agent: CodingAgent, bytes: Buffer) => {
  const text = bytes.toString('utf8')
  return text.includes('Written by `unloop init`') && text.includes(`hook ${agent.name}`)
}

/** The folders that have to be made for a file, the outermost first. */
function missingFolders(path: string): string[] {
  const folder = dirname(path)
  return existsSync(folder) ? [] : [...missingFolders(folder), folder]
}
