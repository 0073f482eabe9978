import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { transcriptLocations } from '../src/index.js'
import { fixture, lines, readAll, readText, told } from './read.js'
import { nothing, type Tally, tallyOf } from './tally.js'

const MAIN = 'droid/7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a001'
const HELPER = 'droid/7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a002'

describe('a session of Factory Droid', () => {
  it('tells messages, calls and results, and the tokens of the file beside it', async () => {
    const { items, events, summary } = await readAll(fixture(`${MAIN}.jsonl`))
    expect(summary).toMatchObject({ format: 'droid', records: 17, used: 10, bad: 0 })
    expect(items[0]?.run).toEqual({
      format: 'droid',
      program: 'droid',
      session: '7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a001',
      project: '/home/ada/shop',
      model: 'claude-opus-4-5',
      startedAt: Date.UTC(2026, 10, 12, 11, 0, 1),
      outcome: { kind: 'aborted', status: 'cancelled' },
    })
    expect(told(events)).toEqual([
      'usage 380224 351884 5008',
      'prompt Why does the checkout test fail?',
      'turn-start',
      'reasoning The test may read a fixture.',
      'text I will look.',
      'call toolu_01 Read {"file_path":"/home/ada/shop/checkout.test.ts"}',
      'call toolu_02 Execute {"command":"npm test"}',
      'result toolu_01 "test(\'checkout\', () => {})"',
      'result toolu_02 failed "Error: Command failed (exit code: 1)\\n1 failed"',
      'turn-start',
      'call toolu_03 Task {"subagent_type":"worker","description":"Find the total","prompt":"Find the total."}',
      'result toolu_03 "It is in total.ts."',
      'compaction',
      'turn-start',
      'text It fails because of the total.',
      'prompt Fix it.',
      'turn-start',
      'call toolu_04 Edit {"file_path":"/home/ada/shop/total.ts","old_str":"a","new_str":"b"}',
      'result toolu_04 failed "Cancelled."',
    ])
  })

  it('knows the session that it works for', async () => {
    const { items } = await readAll(fixture(`${HELPER}.jsonl`))
    expect(items[0]?.run).toMatchObject({
      model: 'claude-haiku-4-5',
      agent: '7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a002',
      parent: '7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a001',
      outcome: { kind: 'finished', status: 'completed' },
    })
    expect(new Set(items.map(({ event }) => event.agent))).toEqual(
      new Set(['7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a002']),
    )
  })

  it.each([MAIN, HELPER])('adds up to what a script counts: %s', async (name) => {
    const { items } = await readAll(fixture(`${name}.jsonl`))
    expect(tallyOf(items)).toEqual(counted(fixture(name)))
  })

  it('is read without its settings', async () => {
    const { items, events } = await readText(
      lines(
        { type: 'session_start', id: 's', title: 'Why?', cwd: '/shop' },
        { type: 'message', id: '1', message: { role: 'user', content: 'Why?' } },
      ),
    )
    expect(told(events)).toEqual(['prompt Why?'])
    expect(items[0]?.run).toMatchObject({ session: 's', project: '/shop' })
  })

  it('lies in a folder per project', () => {
    const [first] = transcriptLocations(
      { FACTORY_HOME_OVERRIDE: '/f' },
      'linux',
      '/home/ada',
    ).filter(({ program }) => program === 'droid')
    expect(first?.path).toBe('/f/.factory/sessions')
    expect(first?.files.test('-home-ada-shop/1.jsonl')).toBe(true)
    expect(first?.files.test('-home-ada-shop/1.settings.json')).toBe(false)
  })
})

/** Counts without the reader. */
function counted(path: string): Tally {
  const sum = nothing()
  for (const line of readFileSync(`${path}.jsonl`, 'utf8').trim().split('\n')) {
    const { message } = JSON.parse(line)
    if (!message || message.hookEventName || message.visibility === 'llm_only') continue
    if (message.role === 'assistant') sum.turns++
    const types = message.content.map(({ type }: { type: string }) => type)
    sum.calls += types.filter((type: string) => type === 'tool_use').length
    sum.results += types.filter((type: string) => type === 'tool_result').length
    sum.errors += message.content.filter((block: { is_error?: true }) => block.is_error).length
    if (message.role === 'user' && !message.visibility && types.includes('text')) sum.prompts++
  }
  const { tokenUsage } = JSON.parse(readFileSync(`${path}.settings.json`, 'utf8'))
  const { inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens, thinkingTokens } =
    tokenUsage
  sum.cached = cacheReadTokens
  sum.written = cacheCreationTokens
  sum.input = inputTokens + cacheCreationTokens + cacheReadTokens
  sum.output = outputTokens + thinkingTokens
  return sum
}
