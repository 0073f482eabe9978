import { randomUUID } from 'node:crypto'
import type { Guard, Snapshot } from 'unloop'
import { createBacklog } from './backlog.js'
import { isObject, type Json, objectOf, objectsOf, parseLine, textOf } from './json.js'
import { readStart } from './line-start.js'
import { readLongPrompt, readLongUpdate } from './long-line.js'
import { withAdvice } from './messages.js'
import { HEAD, MAX_WATCHED, type Side } from './relay.js'
import { createSession, type Session, type SessionPort } from './session.js'

/** What the traffic uses of the proxy. */
export interface TrafficPort {
  toClient(line: string | Buffer): void
  toAgent(line: string): void
  /** A guard for a session that works there; nothing if it is not to be watched. */
  createGuard(folder: string, snapshot?: Snapshot): Promise<Guard | undefined>
  /** Reports an internal error. */
  report(error: unknown): void
}

/** A request of the editor that was not answered yet. */
interface Request {
  method: string
  session: string
  folder: string
  /** of the session that is forked, as it was then */
  snapshot: Snapshot | undefined
}

// a person has a few; an agent that never ends one must not fill the memory
const MAX_SESSIONS = 100
const MAX_REQUESTS = 1000

/** Follows the conversation of an editor and an agent, and takes part in it where a guard says so. */
export function createTraffic(
  port: TrafficPort,
  startFolder: string,
): { editor: Side; agent: Side } {
  const sessions = new Map<string, Session>()
  /** sub-agents that have a session of their own, and whose they are */
  const parents = new Map<string, string>()
  const requests = new Map<string, Request>()
  /** our own requests to the editor */
  const asked = new Map<string, Session>()
  const backlog = createBacklog()
  // no agent can guess it, so no id of an agent is one of ours
  const mark = `unloop-${randomUUID()}`
  let number = 0
  let hasNotices = false

  function createKnown(id: string, folder: string): Session {
    const sessionPort: SessionPort = {
      toClient: port.toClient,
      toAgent: port.toAgent,
      hasNotices: () => hasNotices,
      newRequest() {
        const request = `${mark}-${++number}`
        asked.set(request, session)
        return request
      },
    }
    const session = createSession(id, folder, sessionPort)
    sessions.delete(id)
    sessions.set(id, session)
    keep(sessions, MAX_SESSIONS)
    return session
  }

  function guard(session: Session, snapshot?: Snapshot): Session {
    port.createGuard(session.folder, snapshot).then(session.guardWith, (error) => {
      port.report(error)
      session.guardWith(undefined)
    })
    return session
  }

  /** Agents may tell about sessions that nobody saw begin. */
  const sessionOf = (id: string) => sessions.get(id) ?? guard(createKnown(id, startFolder))

  function fromEditor(message: Json): void {
    const { method, id } = message
    if (typeof method !== 'string') return
    const params = objectOf(message.params)
    const session = textOf(params.sessionId) ?? ''
    if (method === 'initialize') {
      hasNotices = isObject(objectOf(objectOf(params.clientCapabilities).session).notices)
    }
    if (method === 'session/cancel') sessions.get(session)?.cancel()
    if (id === undefined || !FOLLOWED.has(method)) return
    const folder = textOf(params.cwd) ?? startFolder
    const isFork = method === 'session/fork'
    const snapshot = isFork ? sessions.get(session)?.guard?.snapshot() : undefined
    requests.set(JSON.stringify(id), { method, session, folder, snapshot })
    keep(requests, MAX_REQUESTS)
    // the history comes before the answer
    if (method === 'session/load') guard(createKnown(session, folder))
    if (method === 'session/prompt') {
      sessionOf(session).prompt(JSON.stringify(id), textIn(params.prompt))
    }
  }

  function fromAgent(message: Json): void {
    if (message.method === 'session/update') return readUpdate(objectOf(message.params))
    if (message.method !== undefined || message.id === undefined) return
    const id = JSON.stringify(message.id)
    const request = requests.get(id)
    if (!request) return
    requests.delete(id)
    const { method, session, folder, snapshot } = request
    if (method === 'session/prompt') return sessions.get(session)?.end(id)
    if (message.error !== undefined) return
    const made = textOf(objectOf(message.result).sessionId) ?? session
    if (method === 'session/new' || method === 'session/fork') {
      guard(createKnown(made, folder), snapshot)
    }
    if (method === 'session/resume' && !sessions.has(made)) guard(createKnown(made, folder))
    if (method === 'session/close' || method === 'session/delete') sessions.delete(session)
  }

  function readUpdate(params: Json): void {
    const id = textOf(params.sessionId)
    if (id === undefined) return
    const update = objectOf(params.update)
    const child = update.sessionUpdate === 'subagent_update' ? textOf(update.sessionId) : undefined
    if (child !== undefined && child !== id) {
      parents.set(child, parents.get(id) ?? id)
      keep(parents, MAX_SESSIONS)
    }
    const parent = parents.get(id)
    sessionOf(parent ?? id).update(update, parent === undefined ? undefined : id)
  }

  /** The prompt, with the words that wait for the model. */
  function takePrompt(message: Json, line: Buffer): Buffer {
    const params = objectOf(message.params)
    const session = sessions.get(textOf(params.sessionId) ?? '')
    const words = Array.isArray(params.prompt) ? (session?.takeWords() ?? []) : []
    fromEditor(message)
    return words.length > 0 ? Buffer.from(withAdvice(message, params, words)) : line
  }

  /** Does work of ours; whatever happens, the line goes on. */
  function attempt<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work()
    } catch (error) {
      port.report(error)
      return otherwise
    }
  }

  /** Reads a line that has gone on, when the traffic leaves time for it. */
  function later(line: Buffer, size: number, read: (line: Buffer, size: number) => void): void {
    const isUpdate = () => readStart(line.subarray(0, HEAD))?.method === 'session/update'
    backlog.add(line.length, isUpdate, () => attempt(() => read(line, size), undefined))
  }

  function readEditorLine(line: Buffer, size: number): void {
    const { method, id } = readStart(line.subarray(0, HEAD)) ?? {}
    if (size > MAX_WATCHED && method === 'session/prompt' && id !== undefined) {
      return fromEditor(readLongPrompt(line, id))
    }
    if (size > MAX_WATCHED || method === undefined || !isFollowed(method)) return
    for (const message of messagesIn(line)) fromEditor(message)
  }

  function readAgentLine(line: Buffer, size: number): void {
    const long = size > MAX_WATCHED ? readLongUpdate(line, size) : undefined
    if (long) fromAgent(long)
    if (size <= MAX_WATCHED) for (const message of messagesIn(line)) fromAgent(message)
  }

  const editor: Side = {
    isOurs(head) {
      const start = readStart(head)
      return (
        start && (start.method === 'session/prompt' || start.id?.startsWith(`"${mark}`) === true)
      )
    },
    take: (line) =>
      attempt(() => {
        backlog.finish()
        const message = parseLine(line)
        if (!isObject(message)) return line
        const { id, method } = message
        const session = typeof id === 'string' && method === undefined ? asked.get(id) : undefined
        if (session && typeof id === 'string') {
          asked.delete(id)
          session.answer(id, message)
          return
        }
        if (method === 'session/prompt') return takePrompt(message, line)
        fromEditor(message)
        return line
      }, line),
    watch: (line, size) => later(line, size, readEditorLine),
  }

  const agent: Side = {
    isOurs(head) {
      const start = readStart(head)
      return start && start.method === 'session/request_permission'
    },
    take: (line) =>
      attempt(() => {
        backlog.finish()
        const message = parseLine(line)
        if (!isObject(message)) return line
        const session = textOf(objectOf(message.params).sessionId)
        if (message.method === 'session/request_permission' && session !== undefined) {
          return sessionOf(session).permission(message, line)
        }
        fromAgent(message)
        return line
      }, line),
    watch: (line, size) => later(line, size, readAgentLine),
  }
  return { editor, agent }
}

const FOLLOWED = new Set([
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
  'session/close',
  'session/delete',
  'session/prompt',
])

const isFollowed = (method: string) =>
  FOLLOWED.has(method) || method === 'initialize' || method === 'session/cancel'

const messagesIn = (line: Buffer): Json[] => {
  const message = parseLine(line)
  return isObject(message) ? [message] : objectsOf(message)
}

const textIn = (prompt: unknown): string =>
  objectsOf(prompt)
    .map(({ text }) => textOf(text) ?? '')
    .join('\n')

/** Forgets the oldest if there are too many. */
function keep<Key>(map: Map<Key, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
