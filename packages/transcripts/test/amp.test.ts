import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { transcriptLocations } from '../src/index.js'
import { fixture, readAll, readText, told } from './read.js'
import { nothing, type Tally, tallyOf } from './tally.js'

describe('a thread of Amp', () => {
  it('tells messages, calls and results', async () => {
    const { items, events, summary } = await readAll(fixture('amp.json'))
    expect(summary).toMatchObject({ format: 'amp', bad: 0, runs: 1 })
    expect(items[0]?.run).toEqual({
      format: 'amp',
      program: 'amp',
      session: 'T-5f0a7d6e-3f61-4f43-9d67-0b8f0a9b3c21',
      parent: 'T-11111111-2222-4333-8444-555555555555',
      project: '/home/ada/shop',
      model: 'claude-sonnet-4-5-20250929',
      startedAt: 1794301200000,
      outcome: { kind: 'finished', status: 'end_turn' },
    })
    expect(told(events)).toEqual([
      'prompt Why does the checkout test fail?',
      'turn-start',
      'reasoning The test may read a fixture.',
      'text I will look.',
      'call toolu_01 Read {"path":"/home/ada/shop/checkout.test.ts"}',
      'call toolu_02 Bash {"cmd":"npm test"}',
      'usage 12377 0 120',
      'result toolu_01 {"absolutePath":"/home/ada/shop/checkout.test.ts","content":"1: test(\'checkout\', () => {})"}',
      'result toolu_02 failed "1 failed"',
      'turn-start',
      'call toolu_03 edit_file {"path":"/home/ada/shop/checkout.ts","old_str":"a","new_str":"b"}',
      'usage 12715 12368 60',
      'result toolu_03 failed "old_str not found in file"',
      'turn-start',
      'call toolu_04 Task {"prompt":"Find the total.","description":"Find the total"}',
      'usage 12803 12708 45',
      'result toolu_04 "It is in total.ts."',
      'turn-start',
      'call toolu_05 Bash {"cmd":"rm -rf build"}',
      'usage 12700 12000 30',
      'result toolu_05 failed "Not now."',
      'prompt Leave the build folder alone.',
      'turn-start',
      'text It fails because of the total.',
      'usage 13086 13000 40',
      'T-99999999-2222-4333-8444-555555555555: usage 2100 0 310',
    ])
  })

  it('adds up to what a script counts', async () => {
    const { items } = await readAll(fixture('amp.json'))
    expect(tallyOf(items)).toEqual(counted(readFileSync(fixture('amp.json'), 'utf8')))
  })

  it('may have its tokens in the ledger only', async () => {
    const content = [{ type: 'text', text: 'Hm.' }]
    const entry = { model: 'gpt-5', tokens: { input: 9, output: 2 }, operationType: 'inference' }
    const thread = {
      id: 'T-1',
      messages: [{ role: 'assistant', content }],
      usageLedger: { events: [entry] },
    }
    const { events } = await readText(JSON.stringify(thread), {}, 'T-1.json')
    expect(told(events)).toEqual(['turn-start', 'text Hm.', 'usage 9 0 2'])
  })

  it('lies in one folder with all others', () => {
    const pathsFor = (env: Record<string, string>, platform: string, home: string) =>
      transcriptLocations(env, platform, home)
        .filter(({ program }) => program === 'amp')
        .map(({ path }) => path)
    expect(pathsFor({}, 'linux', '/home/ada')).toEqual(['/home/ada/.local/share/amp/threads'])
    expect(pathsFor({ XDG_DATA_HOME: '/data' }, 'darwin', '/Users/ada')).toEqual([
      '/data/amp/threads',
    ])
    expect(pathsFor({}, 'win32', 'C:\\Users\\ada')).toEqual([
      'C:\\Users\\ada\\.local\\share\\amp\\threads',
    ])
  })
})

/** Counts without the reader. */
function counted(text: string): Tally {
  const sum = nothing()
  const thread = JSON.parse(text)
  for (const { role, content, usage } of thread.messages) {
    if (role === 'assistant') {
      sum.turns++
      sum.input += usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens
      sum.cached += usage.cacheReadInputTokens
      sum.written += usage.cacheCreationInputTokens
      sum.output += usage.outputTokens
    }
    for (const block of content) {
      if (block.type === 'tool_use') sum.calls++
      if (role === 'user' && block.type === 'text') sum.prompts++
      if (block.type !== 'tool_result') continue
      sum.results++
      if (block.run.status !== 'done' || block.run.result.exitCode > 0) sum.errors++
    }
  }
  for (const { operationType, tokens } of thread.usageLedger.events) {
    if (operationType === 'inference') continue
    sum.input += tokens.input
    sum.output += tokens.output
  }
  return sum
}
