import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'

type Place = Pick<Host, 'env' | 'platform'>

/** Where hooks say what went wrong: the agent must not see it. */
export const logFile = (host: Place): string => join(stateFolder(host), 'hook.log')

/** Adds a line to the log. Never throws. */
export function log(host: Place, agent: string, message: string): void {
  try {
    const path = logFile(host)
    mkdirSync(stateFolder(host), { recursive: true, mode: 0o700 })
    const line = message.replaceAll(/\s+/g, ' ').slice(0, MAX_LINE)
    if (sizeOf(path) > MAX_BYTES) renameSync(path, `${path}.old`)
    appendFileSync(path, `${new Date().toISOString()} ${agent}: ${line}\n`, { mode: 0o600 })
  } catch {
    // there is nobody left to tell
  }
}

const MAX_LINE = 500
const MAX_BYTES = 500_000

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
