import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { TranscriptItem } from '../src/index.js'
import { type Count, countSession } from './count-sessions.js'
import { fixture, readAll } from './read.js'

// an archive of recordings that are not ours to publish
const { UNLOOP_SESSIONS } = process.env

const unpacked = mkdtempSync(join(tmpdir(), 'unloop-sessions-'))
if (UNLOOP_SESSIONS) execFileSync('tar', ['-xzf', UNLOOP_SESSIONS, '-C', unpacked])
afterAll(() => rmSync(unpacked, { recursive: true, force: true }))

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name): [name: string, path: string] => [name, join(folder, name)])

/** What the events of a session add up to. */
function add(items: readonly TranscriptItem[]): Count {
  const number = (type: string) => items.filter(({ event }) => event.type === type).length
  const sum = (pick: (usage: Record<string, unknown>) => unknown) =>
    items.reduce((all, { event }) => all + (Number(pick({ ...event })) || 0), 0)
  return {
    turns: number('turn-start'),
    calls: number('tool-call'),
    results: number('tool-result'),
    errors: items.filter(({ event }) => event.type === 'tool-result' && event.isError).length,
    input: sum(({ inputTokens }) => inputTokens),
    cached: sum(({ cachedTokens }) => cachedTokens),
    cacheWrite: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    cacheWriteHour: sum(({ cacheWriteHourTokens }) => cacheWriteHourTokens),
    output: sum(({ outputTokens }) => outputTokens),
  }
}

describe('what stands in a session', () => {
  it.each([...filesIn(fixture('sessions')), ...filesIn(unpacked)])(
    'is what an independent count finds: %s',
    async (_, path) => {
      const { items, summary } = await readAll(path)
      expect(summary).toMatchObject({ bad: 0, runs: 1 })
      expect(add(items)).toEqual(countSession(readFileSync(path, 'utf8')))
    },
  )

  // by hand
  it.each<[string, Count]>([
    [
      'claude-code.jsonl',
      {
        ...{ turns: 6, calls: 5, results: 5, errors: 1, input: 52_649, cached: 37_900 },
        ...{ cacheWrite: 14_720, cacheWriteHour: 9760, output: 417 },
      },
    ],
    [
      'codex-fork.jsonl',
      {
        ...{ turns: 5, calls: 6, results: 5, errors: 1, input: 38_900, cached: 31_100 },
        ...{ cacheWrite: 0, cacheWriteHour: 0, output: 479 },
      },
    ],
  ])('is what a person finds: %s', (name, count) =>
    expect(countSession(readFileSync(fixture(`sessions/${name}`), 'utf8'))).toEqual(count),
  )

  it('of a fork is told with what it takes to find the copy', async () => {
    const parent = await readAll(fixture('sessions/codex.jsonl'))
    const fork = await readAll(fixture('sessions/codex-fork.jsonl'))
    const ids = ({ items }: typeof fork) =>
      items.flatMap(({ event }) => (event.type === 'tool-call' && event.id ? [event.id] : []))
    expect(fork.items[0]?.run).toMatchObject({ parent: parent.items[0]?.run.session })
    expect(ids(fork).slice(0, 4)).toEqual(ids(parent))
    const models = fork.items.flatMap(({ event }) =>
      event.type === 'usage' && event.model ? [event.model] : [],
    )
    expect(models).toEqual(['gpt-5.4', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-mini'])
  })
})
