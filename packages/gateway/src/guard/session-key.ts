import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { copyOf } from './cut.js'
import type { Body } from './read-request.js'
import { headerOf } from './read-request.js'

/** Who sends a request, and what it calls its session. */
export interface Sender {
  /** the hash of its key, in hexadecimal; keys themselves are never kept */
  key: string
  /** the same of each, where it brings several */
  keys: string[]
  agent: string
  /** what the session is called, if it has a name that no other conversation has */
  session: string | undefined
}

/** Reads who sends a request from its headers, its address and its body. */
export function readSender(headers: IncomingHttpHeaders, address: string, body: Body): Sender {
  return {
    key: keyOf(headers, address),
    keys: keysIn(headers, address).map(hashOf),
    agent: agentOf(headers),
    session: sessionOf(headers, body),
  }
}

/** The id of a session; the same name under another key is another session. */
export const toSessionId = (key: string, session: string): string =>
  createHash('sha256').update(`${key} ${session}`).digest('base64url').slice(0, 20)

/** The hash of what a request brings as its key; of all of it, since the first may be a word that everybody sends. */
export const keyOf = (headers: IncomingHttpHeaders, address: string): string =>
  hashOf(keysIn(headers, address).join('\n'))

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The different keys of a request; an empty one if it has none. */
function keysIn(headers: IncomingHttpHeaders, address: string): string[] {
  const given = [
    headers.authorization?.replace(/^bearer\s+/i, ''),
    headerOf(headers, 'x-api-key'),
    headerOf(headers, 'x-goog-api-key'),
    headerOf(headers, 'api-key'),
    /[?&]key=([^&]*)/.exec(address)?.[1],
  ]
  const keys = new Set(given.filter((key) => key !== undefined && key !== ''))
  return keys.size > 0 ? ([...keys] as string[]) : ['']
}

// what names a session on purpose, then what agents send of their own accord; the first that is there counts
const HEADERS = [
  'x-unloop-session',
  'x-litellm-trace-id',
  'x-litellm-session-id',
  'agent-session-id',
  'helicone-session-id',
  'x-claude-code-session-id',
  'thread-id',
  'session-id',
  'x-session-affinity',
  'x-session-id',
  'x-opencode-session',
  'x-task-id',
]

const ANY_SESSION = /^x-.{1,80}-session-id$/
const ANY_VALUE = /^[A-Za-z0-9_-]{8,200}$/
const MAX_NAME = 200

function sessionOf(headers: IncomingHttpHeaders, body: Body): string | undefined {
  for (const name of HEADERS) {
    const value = headerOf(headers, name)
    if (value !== undefined && value.length <= MAX_NAME) return value
  }
  for (const name of Object.keys(headers)) {
    const value = ANY_SESSION.test(name) ? headerOf(headers, name) : undefined
    if (value !== undefined && ANY_VALUE.test(value)) return value
  }
  return sessionIn(body)
}

/** What Claude Code, qwen-code and Gemini CLI write into the body. */
function sessionIn({ metadata, request }: Body): string | undefined {
  const user = metadata?.user_id
  const [, claude] =
    typeof user === 'string'
      ? (/_session_([\w-]{8,80})$/.exec(user.slice(-200)) ??
        /"session_id"\s{0,4}:\s{0,4}"([\w-]{8,80})"/.exec(user.slice(0, 2000)) ??
        [])
      : []
  const found = claude ?? metadata?.sessionId ?? request?.session_id
  return typeof found === 'string' && ANY_VALUE.test(found) ? copyOf(found) : undefined
}

const AGENTS: [RegExp, string][] = [
  [/^claude-cli\b/i, 'claude-code'],
  [/\bcodex/i, 'codex'],
  [/\bopencode\b/i, 'opencode'],
  [/^GeminiCLI\b/i, 'gemini-cli'],
  [/^QwenCode\b/i, 'qwen-code'],
]

function agentOf(headers: IncomingHttpHeaders): string {
  const program = headers['user-agent'] ?? ''
  const known = AGENTS.find(([pattern]) => pattern.test(program))?.[1]
  return known ?? (/^[\w./-]{1,40}/.exec(program)?.[0].split('/')[0] || '')
}
