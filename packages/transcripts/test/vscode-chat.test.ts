import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listFolder, transcriptLocations } from '../src/index.js'
import { fixture, lines, readAll, readText, told } from './read.js'
import { nothing, type Tally, tallyOf } from './tally.js'

const FOLDER = 'vscode-chat/workspaceStorage/5d1f0c/chatSessions'
const DOCUMENT = fixture(`${FOLDER}/88ca1adb-bf72-4478-9982-6886cb99785e.json`)
const LOG = fixture(`${FOLDER}/3a9ae123-2cbe-4c1d-b5af-3d4cd1f0ad2e.jsonl`)

const story = [
  'prompt Why does the checkout test fail?',
  'turn-start',
  'reasoning The test may read a fixture.',
  'text I will look.',
  'call toolu_1__vscode-1 read_file {"filePath":"/home/ada/my shop/checkout.test.ts","startLine":1,"endLine":20}',
  'call toolu_2__vscode-2 run_in_terminal {"command":"npm test","explanation":"Run the tests","isBackground":false}',
  'result toolu_1__vscode-1 "test(\'checkout\', () => {})"',
  'result toolu_2__vscode-2 "1 failed\\nCommand exited with code 1"',
  'turn-start',
  'call toolu_3__vscode-3 replace_string_in_file {"filePath":"/home/ada/my shop/checkout.ts","oldString":"a","newString":"b"}',
  'result toolu_3__vscode-3 failed "ERROR while calling tool: oldString was not found.\\nPlease check your input and try again."',
  'turn-start',
  'call toolu_4__vscode-4 runSubagent {"description":"Find the total","prompt":"Find the total."}',
  'result toolu_4__vscode-4 "It is in total.ts."',
  'turn-start',
  'text It fails because of the total.',
  'guid-4: call guid-5 copilot_findTextInFiles {"query":"total"}',
  'guid-4: result guid-5 "total.ts:1"',
  'usage 21500 0 310',
  'prompt Fix it.',
  'turn-start',
  'text I will run the tests again.',
  'call guid-6 run_in_terminal {"command":"npm test"}',
  'result guid-6 failed "1 failed"',
  'call guid-7 copilot_replaceString undefined',
  'result guid-7 failed undefined',
]

describe('a session of Copilot Chat in VS Code', () => {
  it.each([
    ['88ca1adb-bf72-4478-9982-6886cb99785e', DOCUMENT],
    ['3a9ae123-2cbe-4c1d-b5af-3d4cd1f0ad2e', LOG],
  ])('tells requests, calls and results: %s', async (session, path) => {
    const { items, events, summary } = await readAll(path)
    expect(summary).toMatchObject({ format: 'vscode-chat', bad: 0, runs: 1 })
    expect(told(events)).toEqual(story)
    expect(items[0]?.run).toEqual({
      format: 'vscode-chat',
      program: 'vscode-chat',
      session,
      project: '/home/ada/my shop',
      model: 'gpt-5',
      startedAt: 1794643200000,
      outcome: { kind: 'aborted', status: 'cancelled' },
    })
    expect(items[1]?.event.at).toBe(1794643262000)
  })

  it('adds up to what a script counts', async () => {
    const { items } = await readAll(DOCUMENT)
    expect(tallyOf(items)).toEqual(counted(readFileSync(DOCUMENT, 'utf8')))
    expect(tallyOf((await readAll(LOG)).items)).toEqual(tallyOf(items))
  })

  it('starts over where requests were taken back', async () => {
    const ask = (text: string) => ({ message: { text }, response: [{ value: 'Hm.' }] })
    const { events, summary } = await readText(
      lines(
        { kind: 0, v: { sessionId: 's', requests: [] } },
        { kind: 2, k: ['requests'], v: [ask('Why?'), ask('How?')] },
        { kind: 2, k: ['requests'], i: 0, v: [ask('When?')] },
        { kind: 1, k: ['requests', 7, 'vote'], v: 1 },
        { kind: 1, k: ['requests', 0, '__proto__'], v: { message: 'x' } },
      ),
    )
    expect(summary).toMatchObject({ records: 5, bad: 1 })
    expect(told(events)).toEqual([
      ...['prompt Why?', 'turn-start', 'text Hm.'],
      ...['prompt When?', 'turn-start', 'text Hm.'],
    ])
  })

  it('may be one line, of either form', async () => {
    const session = { sessionId: 's', requests: [{ message: 'Why?', response: [] }] }
    for (const text of [session, { kind: 0, v: session }]) {
      const { items, events } = await readText(JSON.stringify(text))
      expect(told(events)).toEqual(['prompt Why?'])
      expect(items[0]?.run).toMatchObject({ format: 'vscode-chat', session: 's' })
    }
  })

  it('is found in each edition', async () => {
    const found = []
    for await (const { path } of listFolder(fixture('vscode-chat'))) found.push(path)
    expect(found).toEqual(expect.arrayContaining([DOCUMENT, LOG]))
    const pathsFor = (env: Record<string, string>, platform: string, home: string) =>
      transcriptLocations(env, platform, home)
        .filter(({ program }) => program === 'vscode-chat')
        .map(({ path }) => path)
    expect(pathsFor({}, 'linux', '/home/ada')).toEqual(
      expect.arrayContaining([
        '/home/ada/.config/Code/User/workspaceStorage',
        '/home/ada/.config/Code - Insiders/User/globalStorage/emptyWindowChatSessions',
        '/home/ada/.vscode-server/data/User/workspaceStorage',
        '/home/ada/.local/share/code-server/User/workspaceStorage',
      ]),
    )
    expect(pathsFor({}, 'darwin', '/Users/ada')).toContain(
      '/Users/ada/Library/Application Support/VSCodium/User/workspaceStorage',
    )
    expect(pathsFor({ APPDATA: 'D:\\Data' }, 'win32', 'C:\\Users\\ada')).toContain(
      'D:\\Data\\Code\\User\\workspaceStorage',
    )
  })
})

/** Counts without the reader: rounds where there are some, or else what was shown; and sub-agents. */
function counted(text: string): Tally {
  const sum = nothing()
  for (const { response, result } of JSON.parse(text).requests) {
    sum.prompts++
    const { toolCallRounds: rounds, toolCallResults: results = {}, ...tokens } = result.metadata
    const shown = response.filter(
      (part: { kind?: string; subAgentInvocationId?: string }) =>
        part.kind === 'toolInvocationSerialized' && (!rounds || part.subAgentInvocationId),
    )
    sum.turns += rounds ? rounds.length : 1
    for (const { toolCalls } of rounds ?? []) sum.calls += toolCalls.length
    sum.calls += shown.length
    sum.results += Object.keys(results).length + shown.length
    sum.errors += JSON.stringify(results).split('ERROR while calling tool').length - 1
    sum.errors += shown.filter(
      (part: { isConfirmed: { type: number }; toolSpecificData?: Record<string, never> }) =>
        part.isConfirmed.type === 0 ||
        JSON.stringify(part.toolSpecificData ?? '').includes('"exitCode":1'),
    ).length
    sum.input += tokens.promptTokens ?? 0
    sum.output += tokens.outputTokens ?? 0
  }
  return sum
}
