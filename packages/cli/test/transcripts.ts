import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentEvent } from 'unloop'

export const START = Date.parse('2026-11-01T10:00:00Z')

/** A run that reads one file so often, a minute and 1,000 tokens each time. */
export function stuckRun(times = 12, at = START): AgentEvent[] {
  const turns = Array.from({ length: times }, (_, n): AgentEvent[] => {
    const when = { at: at + n * 60_000 }
    // the tool is slow; a model that lets half a minute pass would be one that waits
    const then = { at: when.at + 50_000 }
    return [
      {
        type: 'tool-call',
        id: `${n}`,
        name: 'read',
        args: { path: '/home/ada/app/login.ts', token: 'sk-abcdefghijklmnopqrstuv' },
        ...when,
      },
      {
        type: 'tool-result',
        id: `${n}`,
        output: 'export function login() {} // mail ada@example.org',
        ...then,
      },
      { type: 'usage', model: 'claude-sonnet-4-5', inputTokens: 900, outputTokens: 100, ...then },
    ]
  })
  return [{ type: 'prompt', text: 'Why does the login fail?', at }, ...turns.flat()]
}

/** A run that does its work and says so. */
export const honestRun = (at = START): AgentEvent[] => [
  { type: 'prompt', text: 'What is in a.ts?', at },
  { type: 'tool-call', id: '1', name: 'read', args: { path: 'a.ts' }, at },
  { type: 'tool-result', id: '1', output: 'const a = 1', at },
  { type: 'text', text: 'It sets a to 1.', at: at + 1000 },
]

export const toLines = (events: readonly unknown[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

/** Writes event lines below a folder and gives the path. */
export function writeRun(folder: string, name: string, events: readonly unknown[]): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, toLines(events))
  return path
}

/** A session of Claude Code that reads one file so often. */
export function claudeLines(times: number, from = 0): object[] {
  const base = {
    sessionId: 's1',
    cwd: '/home/ada/app',
    version: '2.1.0',
    isSidechain: false,
    userType: 'external',
  }
  const stamp = (n: number) => new Date(START + n * 1000).toISOString()
  const prompt = {
    ...base,
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    timestamp: stamp(0),
    message: { role: 'user', content: 'Why?' },
  }
  const turns = Array.from({ length: times }, (_, i) => {
    const n = from + i
    return [
      {
        ...base,
        type: 'assistant',
        uuid: `a${n}`,
        parentUuid: n === 0 ? 'u' : `r${n - 1}`,
        timestamp: stamp(n),
        requestId: `q${n}`,
        message: {
          id: `m${n}`,
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [
            {
              type: 'tool_use',
              id: `toolu_01HdqG7wXbZ${n}`,
              name: 'Read',
              input: { file_path: 'a.ts' },
            },
          ],
          usage: { input_tokens: 100, output_tokens: 10 },
        },
      },
      {
        ...base,
        type: 'user',
        uuid: `r${n}`,
        parentUuid: `a${n}`,
        timestamp: stamp(n),
        message: {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: `toolu_01HdqG7wXbZ${n}`, content: 'const a = 1' },
          ],
        },
      },
    ]
  })
  return from === 0 ? [prompt, ...turns.flat()] : turns.flat()
}

/** Writes a conversation of OpenHands, a folder with a file for each event, that runs one command so often. */
export function writeConversation(folder: string, times: number): string {
  const base = { timestamp: '2026-11-01T10:00:00' }
  const message = { role: 'user', content: [{ type: 'text', text: 'Why?' }] }
  const turn = (n: number) => [
    {
      ...base,
      kind: 'ActionEvent',
      source: 'agent',
      action: { kind: 'ExecuteBashAction', command: 'npm test' },
      tool_name: 'execute_bash',
      tool_call_id: `t${n}`,
      tool_call: { id: `t${n}`, name: 'execute_bash', arguments: '{"command":"npm test"}' },
      llm_response_id: `r${n}`,
    },
    {
      ...base,
      kind: 'ObservationEvent',
      source: 'environment',
      tool_name: 'execute_bash',
      tool_call_id: `t${n}`,
      observation: { content: [{ type: 'text', text: 'FAIL' }], exit_code: 1 },
    },
  ]
  const events = [
    { ...base, kind: 'MessageEvent', source: 'user', llm_message: message },
    ...Array.from({ length: times }, (_, n) => turn(n)).flat(),
  ]
  for (const [n, event] of events.entries()) {
    const name = `events/event-${`${n}`.padStart(5, '0')}-e${n}.json`
    writeRun(folder, name, [{ id: `e${n}`, ...event }])
  }
  return dirname(writeRun(folder, 'base_state.json', [{}]))
}
