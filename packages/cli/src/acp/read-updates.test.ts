import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import type { Json } from './json.js'
import { createUpdateReader } from './read-updates.js'

function read(...updates: Json[]): AgentEvent[] {
  const events: AgentEvent[] = []
  const reader = createUpdateReader(
    (event) => events.push(event),
    () => '/project',
  )
  for (const update of updates) reader.read(update)
  return events.filter(({ type }) => type !== 'turn-start')
}

const call = (fields: Json): Json => ({ sessionUpdate: 'tool_call', toolCallId: '1', ...fields })
const more = (fields: Json): Json => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: '1',
  ...fields,
})
const text = (words: string) => [{ type: 'content', content: { type: 'text', text: words } }]

describe('a call', () => {
  it('of Gemini CLI has its name in the id, and its command in the title', () => {
    const toolCallId = 'run_shell_command__call_0_0'
    const fields = { toolCallId, title: 'cat a.txt', kind: 'execute', content: [] }
    expect(
      read(call({ ...fields, status: 'in_progress' }), more({ ...fields, status: 'completed' })),
    ).toEqual([
      {
        type: 'tool-call',
        id: `0 ${toolCallId}`,
        name: 'run_shell_command',
        args: { command: 'cat a.txt' },
      },
      { type: 'tool-result', id: `0 ${toolCallId}`, output: '' },
    ])
  })

  it('of opencode starts with its name as the title, and fails by its exit code', () => {
    const input = { command: 'cat a.txt', description: 'Read it', cwd: '/project' }
    expect(
      read(
        call({ title: 'bash', kind: 'execute', status: 'pending', rawInput: { cwd: '/project' } }),
        more({ title: 'cat a.txt', kind: 'execute', status: 'in_progress', rawInput: input }),
        more({
          status: 'completed',
          content: text('No such file'),
          rawOutput: { metadata: { exit: 1 } },
        }),
      ),
    ).toEqual([
      { type: 'tool-call', id: '0 1', name: 'bash', args: { command: 'cat a.txt' } },
      { type: 'tool-result', id: '0 1', output: 'No such file', isError: true },
    ])
  })

  it('is named by the agent if it can', () => {
    const [event] = read(call({ name: 'grep', title: 'Search', kind: 'search', status: 'failed' }))
    expect(event).toMatchObject({ name: 'grep' })
    const _meta = { claudeCode: { toolName: 'Read' } }
    const [other] = read(call({ _meta, title: 'Read a file', kind: 'read', status: 'in_progress' }))
    expect(other).toMatchObject({ name: 'Read' })
  })

  it('that edits without telling its input is known by what it changes', () => {
    const content = [{ type: 'diff', path: 'a.ts', oldText: 'a', newText: 'b' }]
    const [event] = read(call({ title: 'Edit a.ts', kind: 'edit', status: 'in_progress', content }))
    expect(event).toMatchObject({ name: 'edit', args: { title: 'Edit a.ts', diffs: content } })
  })

  it('comes before the answer of another that was made at the same time', () => {
    const input = (path: string) => ({ status: 'pending', name: 'read', rawInput: { path } })
    const events = read(
      call({ toolCallId: 'a', ...input('a') }),
      call({ toolCallId: 'b', ...input('b') }),
      more({ toolCallId: 'a', status: 'completed' }),
      more({ toolCallId: 'b', status: 'completed' }),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'tool-call',
      'tool-call',
      'tool-result',
      'tool-result',
    ])
  })

  it('counts once, however often it is told', () => {
    const fields = { name: 'read', rawInput: { path: 'a' } }
    const done = more({ ...fields, status: 'completed' })
    const running = more({ ...fields, status: 'in_progress' })
    expect(read(call(fields), running, running, done, done, running)).toHaveLength(2)
    expect(
      read(call({ ...fields, status: 'completed' }), call({ ...fields, status: 'completed' })),
    ).toHaveLength(4)
  })
})

it('a plan is a call if it changes', () => {
  const plan = (status: string) => ({
    sessionUpdate: 'plan',
    entries: [{ content: 'Fix it', priority: 'high', status }],
  })
  const events = read(plan('pending'), plan('pending'), plan('in_progress'))
  expect(events.filter(({ type }) => type === 'tool-call')).toHaveLength(2)
})

it('the context is told as it grows', () => {
  const usage = (used: unknown) => ({ sessionUpdate: 'usage_update', used, size: 1000 })
  expect(read(usage(100), usage(150), usage(20), usage('x'), usage(30))).toEqual([
    { type: 'usage', inputTokens: 50 },
    { type: 'usage', inputTokens: 10 },
  ])
})

it('a history has the prompts of the person, whole', () => {
  const said = (sessionUpdate: string, words: string) => ({
    sessionUpdate,
    content: { type: 'text', text: words },
  })
  expect(
    read(
      said('user_message_chunk', 'Make '),
      said('user_message_chunk', 'it work'),
      said('agent_thought_chunk', 'Hm.'),
      said('agent_message_chunk', 'Done.'),
      { sessionUpdate: 'compaction_update', compactionId: '1', status: 'completed' },
    ),
  ).toEqual([
    { type: 'prompt', text: 'Make it work' },
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Done.' },
    { type: 'compaction' },
  ])
})
