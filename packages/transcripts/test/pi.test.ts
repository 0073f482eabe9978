import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { transcriptLocations } from '../src/index.js'
import { fixture, lines, readAll, readText, told } from './read.js'
import { nothing, rounded, type Tally, tallyOf } from './tally.js'

describe('a session of Pi', () => {
  it('tells messages, calls and results', async () => {
    const { items, events, summary } = await readAll(fixture('pi.jsonl'))
    expect(summary).toMatchObject({ format: 'pi', records: 19, used: 14, skipped: 5, bad: 0 })
    expect(items[0]?.run).toEqual({
      format: 'pi',
      program: 'pi',
      session: '01a1c3f0-5b2e-7d41-9a0c-6f1f7f0c2b11',
      project: '/home/ada/shop',
      model: 'claude-sonnet-4-5',
      startedAt: Date.UTC(2026, 10, 9, 8),
      outcome: { kind: 'aborted', status: 'aborted' },
    })
    expect(told(events).slice(0, 10)).toEqual([
      'prompt Why does the checkout test fail?',
      'turn-start',
      'reasoning The test may read a fixture.',
      'text I will look.',
      'call toolu_01 read {"path":"checkout.test.ts"}',
      'call toolu_02 bash {"command":"npm test"}',
      'usage 5200 0 85',
      'result toolu_01 "test(\'checkout\', () => {})"',
      'result toolu_02 failed "1 failed\\n\\nCommand exited with code 1"',
      'turn-start',
    ])
    expect(events.map(({ type }) => type)).toContain('compaction')
  })

  it('adds up to what a script counts', async () => {
    const { items, events } = await readAll(fixture('pi.jsonl'))
    expect(tallyOf(items)).toEqual(counted(readFileSync(fixture('pi.jsonl'), 'utf8')))
    const models = events.flatMap((event) => (event.type === 'usage' ? [event.model] : []))
    expect(models.filter((model) => model === 'claude-haiku-4-5')).toHaveLength(2)
  })

  it('starts over where the person went back', async () => {
    const entry = (id: string, parentId: string | null, message: object) => ({
      ...{ type: 'message', id, parentId, timestamp: '2026-11-09T08:00:00.000Z', message },
    })
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }], api: 'x' }
    const { events } = await readText(
      lines(
        { type: 'session', version: 3, id: 's', timestamp: '2026-11-09T08:00:00.000Z', cwd: '/' },
        entry('1', null, { role: 'user', content: 'Why?' }),
        entry('2', '1', answer),
        entry('3', '1', answer),
      ),
    )
    expect(told(events)).toEqual([
      ...['prompt Why?', 'turn-start', 'text Hm.'],
      // once without words, so that everything before it is over
      ...['prompt', 'prompt Why?', 'turn-start', 'text Hm.'],
    ])
  })

  it('names the session that it was forked from', async () => {
    const file = '/x/--shop--/2026-11-09T08-00-00-000Z_01a1-b.jsonl'
    const at = '2026-11-09T08:00:00.000Z'
    const { items } = await readText(
      lines(
        { type: 'session', id: 's', timestamp: at, cwd: '/', parentSession: file },
        { type: 'message', id: '1', parentId: null, message: { role: 'user', content: 'Why?' } },
      ),
    )
    expect(items[0]?.run).toMatchObject({ session: 's', parent: '01a1-b' })
  })

  it('lies in a folder per project', () => {
    const pathsFor = (env: Record<string, string>) =>
      transcriptLocations(env, 'linux', '/home/ada')
        .filter(({ program }) => program === 'pi')
        .map(({ path }) => path)
    expect(pathsFor({})).toEqual(['/home/ada/.pi/agent/sessions'])
    expect(pathsFor({ PI_CODING_AGENT_DIR: '/pi' })).toEqual(['/pi/sessions'])
    expect(pathsFor({ PI_CODING_AGENT_SESSION_DIR: '/s' })).toEqual(['/s'])
  })
})

/** Counts without the reader. */
function counted(text: string): Tally {
  const sum = nothing()
  for (const line of text.trim().split('\n')) {
    const { message } = JSON.parse(line)
    if (message?.role === 'user') sum.prompts++
    if (message?.role === 'toolResult') {
      sum.results++
      if (message.isError) sum.errors++
    }
    if (message?.role !== 'assistant') continue
    sum.turns++
    const { usage, content } = message
    sum.calls += content.filter(({ type }: { type: string }) => type === 'toolCall').length
    sum.input += usage.totalTokens - usage.output
    sum.cached += usage.cacheRead
    sum.written += usage.cacheWrite
    sum.output += usage.output
    sum.cost += usage.cost.total
  }
  return rounded(sum)
}
