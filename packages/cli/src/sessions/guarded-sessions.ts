import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Explanation, Finding } from 'unloop'
import { UsageError } from '../exit-code.js'
import { lastChange, readInfo, type SessionInfo, sessionsFolder } from '../hook/folders.js'
import { readAll } from '../hook/journal.js'
import { openSession } from '../hook/open-session.js'
import { readSettings, toGuardOptions } from '../hook/options.js'
import type { SessionLine } from '../hook/session.js'
import type { Host } from '../host.js'

/** A session of an agent that hooks guard. */
export interface GuardedSession extends Omit<SessionInfo, 'settings' | 'told'> {
  /** where its journal is */
  place: string
  lastAt: number
  state: 'working' | 'struggling' | 'stuck' | 'stopped' | 'off'
  /** how close it is to a finding, from 0 to 1 */
  pressure: number
  findings: readonly Finding[]
  /** the tools that were called last */
  tools: readonly string[]
  explanation: readonly Explanation[]
}

/** The sessions that hooks have seen in the last days, the latest first. */
export function guardedSessions(host: Host): GuardedSession[] {
  return namesIn(sessionsFolder(host))
    .flatMap((name) => read(host, join(sessionsFolder(host), name)) ?? [])
    .sort((a, b) => b.lastAt - a.lastAt)
}

/** The session with this id, or with the only id that begins so. */
export function guardedSession(host: Host, id: string): GuardedSession {
  const all = guardedSessions(host)
  const exact = all.filter((session) => session.id === id)
  const found = exact.length > 0 ? exact : all.filter((session) => session.id.startsWith(id))
  const [first] = found
  if (!first || id === '') {
    throw new UsageError(`there is no guarded session '${id}'; unloop sessions lists them`)
  }
  if (found.length > 1) {
    const ids = found.map((session) => session.id).join(', ')
    throw new UsageError(`${id} is not unique; it may be ${ids}`)
  }
  return first
}

function read(host: Host, place: string): GuardedSession | undefined {
  try {
    return open(host, place)
  } catch {
    // what is in its folder is not from us; a hook will start over
    return
  }
}

function open(host: Host, place: string): GuardedSession | undefined {
  const info = readInfo(place)
  const reading = info && readAll<SessionLine>(place)
  if (!reading) return
  const quiet = () => {}
  const settings = info.settings ?? readSettings(host, info.folder, quiet)
  const options = toGuardOptions(settings)
  const session = openSession(options, { isAttended: false, continueCommand: '' }, reading, quiet)
  for (const line of reading.lines) session.take(line)
  const { guard } = session
  const isOff = session.isOff || settings.config.mode === 'off'
  const { id, agent, folder, startedAt } = info
  const { findings, stopped, pressure } = guard
  const state = isOff ? 'off' : stopped ? 'stopped' : troubleOf(findings.at(-1), pressure)
  return {
    id,
    agent,
    folder,
    startedAt,
    place,
    lastAt: lastChange(place),
    state,
    pressure,
    findings: [...findings],
    tools: session.tools,
    explanation: guard.explain(),
  }
}

/** A finding tells of the present only while its loop goes on. */
function troubleOf(last: Finding | undefined, pressure: number): GuardedSession['state'] {
  if (!last || pressure < 1) return 'working'
  return last.certainty === 'certain' ? 'stuck' : 'struggling'
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
