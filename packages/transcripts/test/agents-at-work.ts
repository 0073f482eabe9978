import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lines } from './read.js'

/** A session of an agent that reads a file with every call, written where and as its program writes it. */
export interface AgentAtWork {
  path: string
  /** Makes a call that reads this file, and gets its answer. */
  call(file: string): void
}

export type Hire = (home: string, name: string) => AgentAtWork

const time = () => new Date().toISOString()

/** Lines that are appended: the first ones when the session starts, and those of each call. */
const appending =
  (
    at: (name: string) => string,
    first: (name: string) => unknown[],
    call: (name: string, file: string, number: number) => unknown[],
  ): Hire =>
  (home, name) => {
    const path = join(home, at(name))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, lines(...first(name)))
    let number = 0
    return { path, call: (file) => appendFileSync(path, lines(...call(name, file, number++))) }
  }

const claude = (sessionId: string, type: string, uuid: string, parentUuid: string | null) => ({
  ...{ type, uuid, parentUuid, sessionId, cwd: '/shop', isSidechain: false, version: '2.0.0' },
  timestamp: time(),
})

export const hireClaude = appending(
  (name) => `.claude/projects/-shop/${name}.jsonl`,
  (name) => [
    { ...claude(name, 'user', 'u', null), message: { role: 'user', content: 'Why does it fail?' } },
  ],
  (name, file, number) => {
    const id = `t${number}`
    const call = { type: 'tool_use', id, name: 'Read', input: { file_path: file } }
    const answer = { type: 'tool_result', tool_use_id: id, content: 'export const a = 1' }
    const message = { id: `m${number}`, role: 'assistant', model: 'claude', content: [call] }
    const before = number === 0 ? 'u' : `u${number - 1}`
    return [
      { ...claude(name, 'assistant', `a${number}`, before), message },
      {
        ...claude(name, 'user', `u${number}`, `a${number}`),
        message: { role: 'user', content: [answer] },
      },
    ]
  },
)

const codex = (type: string, payload: object) => ({ timestamp: time(), type, payload })

export const hireCodex = appending(
  (name) => `.codex/sessions/2026/11/18/rollout-${name}.jsonl`,
  (name) => [
    codex('session_meta', { id: name, timestamp: time(), cwd: '/shop', cli_version: '0.154.0' }),
    codex('response_item', {
      ...{ type: 'message', role: 'user' },
      content: [{ type: 'input_text', text: 'Why does it fail?' }],
    }),
  ],
  (_, file, number) => {
    const call_id = `c${number}`
    const call = { type: 'function_call', name: 'read', arguments: JSON.stringify({ file }) }
    return [
      codex('response_item', { ...call, call_id }),
      codex('response_item', {
        type: 'function_call_output',
        call_id,
        output: 'export const a = 1',
      }),
    ]
  },
)

/** Cursor, which records neither times nor answers. */
export const hireCursor = appending(
  (name) => `.cursor/projects/shop/agent-transcripts/${name}/${name}.jsonl`,
  () => [
    {
      role: 'user',
      message: { content: [{ type: 'text', text: '<user_query>\nWhy?\n</user_query>' }] },
    },
  ],
  (_, path) => [
    {
      role: 'assistant',
      message: { content: [{ type: 'tool_use', name: 'Read', input: { path } }] },
    },
  ],
)

/** Cline, which writes its document anew each time, here without times, as it once did. */
export const hireCline: Hire = (home, name) => {
  const path = join(home, '.cline/data/tasks', name, 'api_conversation_history.json')
  mkdirSync(dirname(path), { recursive: true })
  const messages: object[] = []
  const say = (role: string, ...texts: string[]) => {
    messages.push({ role, content: texts.map((text) => ({ type: 'text', text })) })
    writeFileSync(path, JSON.stringify(messages))
  }
  say('user', '<task>\nWhy does it fail?\n</task>', '<environment_details>\n</environment_details>')
  return {
    path,
    call(file) {
      say('assistant', `I will look.\n\n<read_file>\n<path>${file}</path>\n</read_file>`)
      say('user', `[read_file for '${file}'] Result:`, 'export const a = 1')
    },
  }
}
