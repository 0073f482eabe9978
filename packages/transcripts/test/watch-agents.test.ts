import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { transcriptLocations, watchTranscripts } from '../src/index.js'
import { hireClaude } from './agents-at-work.js'
import { writeCrush, writeGoose, writeOpencode } from './databases.js'
import { appended, closeAll, filled, type Grow, logged, rewritten } from './growing.js'
import { inFolder, readAll } from './read.js'

const soon = <T>(ask: () => T) => expect.poll(ask, { interval: 5 })
const now = Date.now()
const share = '.local/share'
const storage = '.config/Code/User/globalStorage'
const chats = '.config/Code/User/workspaceStorage/5d1f0c/chatSessions'
const history = 'api_conversation_history.json'

const opencodeRows: [string, unknown[]][] = [
  [
    'insert into message values (?, ?, ?, ?, ?)',
    ['msg_99', 'ses_02', now, now, JSON.stringify({ role: 'assistant', time: { created: now } })],
  ],
  [
    'insert into part values (?, ?, ?, ?, ?, ?)',
    [
      ...['prt_99', 'msg_99', 'ses_02', now, now],
      JSON.stringify({
        ...{ type: 'tool', callID: 'c', tool: 'ls' },
        state: { status: 'completed', input: {}, output: 'a.ts' },
      }),
    ],
  ],
]
const gooseCall = { status: 'success', value: { name: 'shell', arguments: { command: 'ls' } } }
const gooseRows: [string, unknown[]][] = [
  [
    'insert into messages values (null, ?, ?, ?, ?)',
    [
      ...[
        '1',
        'assistant',
        JSON.stringify([{ type: 'toolRequest', id: 'd', toolCall: gooseCall }]),
      ],
      Math.floor(now / 1000),
    ],
  ],
]
const crushCall = { id: 'call_9', name: 'bash', input: '{"command":"ls"}', finished: true }
const crushRows: [string, unknown[]][] = [
  [
    "insert into messages (id, session_id, role, parts, created_at, updated_at) values ('m99', 's1', 'assistant', ?, ?, ?)",
    [
      JSON.stringify([{ type: 'tool_call', data: crushCall }]),
      ...[Math.floor(now / 1000), Math.floor(now / 1000)],
    ],
  ],
]
const cursor = 'cursor/projects/home-ada-shop/agent-transcripts'
const cursorLines = '4113a71f-0d3c-4e0e-9d4a-0c5b3e0f7a01'
const cursorText = '77a0e6b2-1d52-4b0c-9f5d-3d8f4c1e2b03.txt'
const opencodeLate = (file: string) => /ses_02.msg_12|msg_12.prt/.test(file)

/** What each program writes, and where. */
const agents: [program: string, what: string, path: string, grow: Grow][] = [
  ['aider', 'text', '.aider.chat.history.md', appended('aider.chat.history.md', '\n\n')],
  ['amp', 'document', `${share}/amp/threads/T-1.json`, rewritten('amp.json', 'messages')],
  ['claude-code', 'lines', '.claude/projects/-shop/1.jsonl', appended('claude-code.jsonl')],
  ['cline', 'in its own folder', `.cline/data/tasks/1/${history}`, rewritten(`cline/${history}`)],
  [
    ...(['cline', 'in VS Code'] as const),
    `${storage}/saoudrizwan.claude-dev/tasks/1/${history}`,
    rewritten(`cline/${history}`),
  ],
  [
    ...(['cline', 'in code-server'] as const),
    `${share}/code-server/User/globalStorage/saoudrizwan.claude-dev/tasks/1/${history}`,
    rewritten(`cline/${history}`),
  ],
  ['codex', 'lines', '.codex/sessions/2026/11/18/rollout-1.jsonl', appended('codex.jsonl')],
  ['copilot-cli', 'lines', '.copilot/session-state/1/events.jsonl', appended('copilot-cli.jsonl')],
  ['crush', 'database', `${share}/crush/crush.db`, logged(writeCrush, crushRows)],
  [
    ...(['cursor', 'lines'] as const),
    `.cursor/projects/shop/agent-transcripts/1/1.jsonl`,
    appended(`${cursor}/${cursorLines}/${cursorLines}.jsonl`),
  ],
  [
    ...(['cursor', 'text'] as const),
    '.cursor/projects/shop/agent-transcripts/1.txt',
    appended(`${cursor}/${cursorText}`, '\nassistant:'),
  ],
  [
    ...(['droid', 'lines', '.factory/sessions/-shop/1.jsonl'] as const),
    appended('droid/7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a001.jsonl'),
  ],
  ['gemini-cli', 'lines', '.gemini/tmp/shop/chats/session-1.jsonl', appended('gemini-cli.jsonl')],
  [
    ...(['gemini-cli', 'document', '.gemini/tmp/shop/chats/session-1.json'] as const),
    rewritten('gemini-cli-old.json', 'messages'),
  ],
  ['goose', 'database', `${share}/goose/sessions/sessions.db`, logged(writeGoose, gooseRows)],
  ['goose', 'lines', `${share}/goose/sessions/1.jsonl`, appended('goose-lines.jsonl')],
  ['kilo-code', 'database', `${share}/kilo/kilo.db`, logged(writeOpencode, opencodeRows)],
  [
    ...(['kilo-code', 'in VS Code'] as const),
    `${storage}/kilocode.kilo-code/tasks/1/${history}`,
    rewritten(`roo-code/${history}`),
  ],
  [
    ...(['mini-swe-agent', 'document', '.config/mini-swe-agent/last.traj.json'] as const),
    rewritten('mini-swe-agent.traj.json', 'messages'),
  ],
  ['opencode', 'database', `${share}/opencode/opencode.db`, logged(writeOpencode, opencodeRows)],
  [
    ...(['opencode', 'files', `${share}/opencode/storage/session/prj/ses_02.json`] as const),
    filled('opencode-tree', opencodeLate, 'session/prj/ses_02.json'),
  ],
  [
    ...(['openhands', 'folder', '.openhands/conversations/1'] as const),
    filled('openhands', (file) => /event-000(?:0[4-9]|10)/.test(file)),
  ],
  ['pi', 'lines', '.pi/agent/sessions/--shop--/1.jsonl', appended('pi.jsonl')],
  ['qwen-code', 'lines', '.qwen/projects/-shop/chats/1.jsonl', appended('qwen-code.jsonl')],
  [
    ...(['roo-code', 'in VS Code'] as const),
    `${storage}/rooveterinaryinc.roo-cline/tasks/1/${history}`,
    rewritten(`roo-code/${history}`),
  ],
  [
    ...(['vscode-chat', 'lines', `${chats}/1.jsonl`] as const),
    appended(
      'vscode-chat/workspaceStorage/5d1f0c/chatSessions/3a9ae123-2cbe-4c1d-b5af-3d4cd1f0ad2e.jsonl',
    ),
  ],
  [
    ...(['vscode-chat', 'document', `${chats}/2.json`] as const),
    rewritten(
      'vscode-chat/workspaceStorage/5d1f0c/chatSessions/88ca1adb-bf72-4478-9982-6886cb99785e.json',
      'requests',
    ),
  ],
]

describe('watching', () => {
  afterEach(closeAll)

  it('is tried for every program that has a place for its transcripts', () => {
    const programs = transcriptLocations({}, 'linux', '/home/ada').map(({ program }) => program)
    expect(new Set(agents.map(([program]) => program))).toEqual(new Set(programs))
  })

  it.each(agents)('notices a session of %s (%s) when it starts and when it grows', (...agent) =>
    inFolder(async (home) => {
      const [program, , place, grow] = agent
      const path = join(home, place)
      const end = new AbortController()
      const seen: { event: object; isNews: boolean }[] = []
      const followed: string[] = []
      const there = hireClaude(home, 'there')
      const ended = watchTranscripts({
        ...{ signal: end.signal, env: {}, platform: 'linux', home },
        onItem({ event, run }, source) {
          if (source.path !== path) return
          expect(run.program).toBe(program)
          seen.push({ event, isNews: source.isNews })
        },
        onFollow: (one) => followed.push(one),
      })
      try {
        await soon(() => followed).toEqual([there.path])
        const goOn = grow(path)
        await soon(() => followed).toContain(path)
        const before = seen.length
        goOn()
        const { items } = await readAll(path)
        expect(items.length).toBeGreaterThan(before)
        await soon(() => seen.length).toBe(items.length)
        expect(new Set(seen.slice(before).map(({ isNews }) => isNews))).toEqual(new Set([true]))
      } finally {
        end.abort()
        await ended
      }
    }),
  )
})
