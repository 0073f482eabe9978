import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'

/** What is used of a process. */
export type Place = Pick<Host, 'env' | 'platform'>

/** What the person agreed to, by the place of the configuration file. */
export type Agreements = Map<string, Agreement>

export interface Agreement {
  /** of what was agreed to */
  hash: string
  /** when, as an ISO date */
  at: string
}

const trustPath = (host: Place): string => join(stateFolder(host), 'trust.json')

/** What was agreed to so far. Throws a `UsageError` if the file cannot be relied on. */
export function readAgreements(host: Place): Agreements {
  const path = trustPath(host)
  try {
    const { mode, uid } = statSync(path)
    if (host.platform !== 'win32' && (mode & 0o022 || !isOurs(uid))) {
      throw new Error('other users can write to it; check it, then chmod 600 it or delete it')
    }
    return toAgreements(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return new Map()
    const reason = error instanceof SyntaxError ? DAMAGED : message
    throw new UsageError(`cannot read what you have trusted from ${path}: ${reason}`)
  }
}

/** Remembers it, readable by the person alone; whoever reads meanwhile finds the old file or the new one. */
export function writeAgreements(host: Place, agreements: Agreements): void {
  const path = trustPath(host)
  const draft = `${path}.${process.pid}.tmp`
  const folders = Object.fromEntries([...agreements].sort(([a], [b]) => (a < b ? -1 : 1)))
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // one that was left behind may have another mode
    rmSync(draft, { force: true })
    writeFileSync(draft, `${JSON.stringify({ version: 1, trusted: folders }, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    })
    renameSync(draft, path)
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(`cannot remember this: ${message}; use --trust with the command instead`)
  }
}

const DAMAGED = 'it is damaged; repair or delete it'

// root may read what belongs to whoever it stands in for
const isOurs = (uid: number) => [0, uid].includes(process.getuid?.() ?? uid)

function toAgreements(value: unknown): Agreements {
  const { version, trusted } = (value ?? {}) as { version?: unknown; trusted?: unknown }
  if (version !== 1 || typeof trusted !== 'object' || trusted === null) throw new Error(DAMAGED)
  return new Map(
    Object.entries(trusted as Record<string, unknown>).map(([place, entry]) => {
      const { hash, at } = (entry ?? {}) as Partial<Agreement>
      if (typeof hash !== 'string' || typeof at !== 'string') throw new Error(DAMAGED)
      return [place, { hash, at }]
    }),
  )
}
