import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import { gooseRows, writeGoose, writeGooseToday } from './databases.js'
import { fixture, inFolder, readAll, readText, told } from './read.js'
import { nothing, rounded, type Tally, tallyOf } from './tally.js'

const inDatabase = <Result>(use: (path: string) => Promise<Result>) =>
  inFolder(async (folder) => {
    const path = join(folder, 'sessions.db')
    writeGooseToday(path)
    return use(path)
  })

describe("goose's database", () => {
  it('adds up to what SQL finds', () =>
    inDatabase(async (path) => {
      const { items, summary } = await readAll(path)
      const rows = Object.values(gooseRows).reduce((sum, table) => sum + table.length, 0)
      expect(summary).toMatchObject({ format: 'goose', records: rows, bad: 0, runs: 3 })
      for (const session of ['20261106_1', '20261106_2', '20251001_7']) {
        const own = items.filter(({ run }) => run.session === session)
        expect([session, tallyOf(own)]).toEqual([session, countSession(path, session)])
      }
    }))

  it('knows projects, models, sub-agents and when it began', () =>
    inDatabase(async (path) => {
      const { items } = await readAll(path)
      const runs = [...new Set(items.map(({ run }) => run))]
      expect(runs).toMatchObject([
        { session: '20251001_7', project: '/home/ada/old', program: 'goose' },
        { session: '20261106_1', model: 'claude-sonnet-5', startedAt: Date.UTC(2026, 10, 6, 8) },
        { session: '20261106_2', agent: '20261106_2', parent: '20261106_1' },
      ])
      expect(runs[1]).not.toHaveProperty('agent')
      const agents = items.map(({ event, run }) => event.agent === run.agent)
      expect(agents).not.toContain(false)
    }))

  it('tells usage by answer, and a compaction', () =>
    inDatabase(async (path) => {
      const { items } = await readAll(path)
      const own = items.filter(({ run }) => run.session === '20261106_1')
      expect(told(own.map(({ event }) => event))).toEqual([
        'prompt Why does the login test fail?',
        'turn-start',
        'reasoning The test may read a file.',
        'text I will look.',
        'call c1 developer__shell {"command":"npm test"}',
        'usage 1100 900 40',
        'result c1 failed "1 failed"',
        'turn-start',
        'call c2 subagent {"instructions":"Find the caller."}',
        'usage 1300 1100 30',
        'result c2 "login.ts:7"',
        'result c3 failed "not JSON"',
        'compaction',
        'usage 1200 0 15',
        'turn-start',
        'text It fails.',
        'usage 500 400 5',
      ])
    }))

  it('had fewer columns', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'sessions.db')
      writeGoose(path)
      const { events, summary } = await readAll(path)
      expect(summary).toMatchObject({ format: 'goose', records: 4, used: 3, skipped: 1, bad: 0 })
      expect(told(events)).toEqual([
        'prompt Why?',
        'turn-start',
        'call c shell {"command":"ls"}',
        'result c "a.ts"',
      ])
    }))

  function countSession(path: string, session: string): Tally {
    const database = new sqlite.Database(path, { readOnly: true })
    const all = (query: string) => database.all(query, [session]) as Record<string, number>[]
    const parts = `from messages, json_each(content_json) as part where session_id = ?`
    const many = (where: string) => all(`select count(*) as n ${parts} and ${where}`)[0]?.n ?? 0
    const kind = (type: string) => `json_extract(part.value, '$.type') = '${type}'`
    const tally = nothing()
    tally.calls = many(
      `${kind('toolRequest')} and json_extract(part.value, '$.toolCall.value.name') is not null`,
    )
    tally.results = many(kind('toolResponse'))
    tally.errors = many(
      `${kind('toolResponse')} and (json_extract(part.value, '$.toolResult.status') = 'error' or json_extract(part.value, '$.toolResult.value.isError'))`,
    )
    tally.prompts = many(
      `${kind('text')} and role = 'user' and coalesce(json_extract(metadata_json, '$.userVisible'), 1)`,
    )
    let before = ''
    for (const { role } of all(
      'select role from messages where session_id = ? order by id',
    ) as never as { role: string }[]) {
      if (role === 'assistant' && before !== role) tally.turns++
      before = role
    }
    const ledger = all('select * from usage_ledger where session_id = ?')
    const totals = all('select * from sessions where id = ?')
    const prefix = ledger.length > 0 ? '' : 'accumulated_'
    for (const row of ledger.length > 0 ? ledger : totals) {
      const read = row[`${prefix}cache_read_tokens`] ?? 0
      const written = row[`${prefix}cache_write_tokens`] ?? 0
      const input = row[`${prefix}input_tokens`] ?? 0
      tally.input += input < read + written ? input + read + written : input
      tally.cached += read
      tally.written += written
      tally.output += row[`${prefix}output_tokens`] ?? 0
      tally.cost += row[`${prefix}cost`] ?? 0
    }
    database.close()
    return rounded(tally)
  }
})

describe("goose's files from before", () => {
  it('add up to what a plain count finds', async () => {
    const path = fixture('goose-lines.jsonl')
    const [about, ...messages] = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const expected = nothing()
    for (const { role, content } of messages) {
      const types = content.map((part: { type: string }) => part.type)
      if (role === 'user' && types[0] === 'text') expected.prompts++
      if (role === 'assistant') expected.turns++
      expected.calls += types.filter((type: string) => type === 'toolRequest').length
      expected.results += types.filter((type: string) => type === 'toolResponse').length
      expected.errors += content.filter(
        (part: { toolResult?: { status: string } }) => part.toolResult?.status === 'error',
      ).length
    }
    expected.input = about.accumulated_input_tokens
    expected.output = about.accumulated_output_tokens
    const { items, summary } = await readAll(path)
    expect(summary).toMatchObject({ format: 'goose-lines', records: 7, used: 7, bad: 0, runs: 1 })
    expect(tallyOf(items)).toEqual(expected)
    const { session, project, program } = items[0]?.run ?? {}
    expect({ session, project, program }).toEqual({
      session: 'goose-lines',
      project: '/home/ada/shop',
      program: 'goose',
    })
  })

  it('are read from an export, too', async () => {
    const lines = readFileSync(fixture('goose-lines.jsonl'), 'utf8').trim().split('\n')
    const [about, ...conversation] = lines.map((line) => JSON.parse(line))
    const exported = {
      id: '20251001_7',
      created_at: '2025-10-01T10:00:00Z',
      ...about,
      conversation,
    }
    const { items, summary } = await readText(JSON.stringify(exported, null, 2))
    expect(summary).toMatchObject({ format: 'goose-lines', bad: 0, runs: 1 })
    const { items: expected } = await readAll(fixture('goose-lines.jsonl'))
    expect(tallyOf(items)).toEqual(tallyOf(expected))
    expect(items[0]?.run).toMatchObject({ session: '20251001_7', project: '/home/ada/shop' })
  })
})
