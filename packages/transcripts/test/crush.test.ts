import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import { findTranscripts, transcriptLocations } from '../src/index.js'
import { writeCrush } from './databases.js'
import { inFolder, readAll, told } from './read.js'
import { nothing, rounded, type Tally, tallyOf } from './tally.js'

const inProject = <Result>(use: (path: string, folder: string) => Promise<Result>) =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, '.crush'))
    const path = join(folder, '.crush', 'crush.db')
    writeCrush(path)
    return use(path, folder)
  })

describe('the database of Crush', () => {
  it('tells sessions, calls and results', () =>
    inProject(async (path, folder) => {
      const { items, events, summary } = await readAll(path)
      expect(summary).toMatchObject({ format: 'crush', records: 15, bad: 0, runs: 2 })
      const runs = [...new Set(items.map(({ run }) => run))]
      const facts = { format: 'crush', program: 'crush', project: folder }
      expect(runs).toEqual([
        {
          ...facts,
          session: 's1',
          model: 'claude-sonnet-4-5',
          startedAt: 1794560400000,
          outcome: { kind: 'aborted', status: 'canceled' },
        },
        {
          ...facts,
          session: 'm4$$call_3',
          agent: 'm4$$call_3',
          parent: 's1',
          model: 'claude-sonnet-4-5',
          startedAt: 1794560410000,
          outcome: { kind: 'finished', status: 'end_turn' },
        },
      ])
      expect(told(events).slice(0, 14)).toEqual([
        'usage 0 0 0',
        'prompt Why does the checkout test fail?',
        'turn-start',
        'reasoning A fixture?',
        'text I will look.',
        'call call_1 view {"file_path":"checkout.test.ts"}',
        'call call_2 bash {"command":"npm test"}',
        'result call_1 "test()"',
        'result call_2 failed "Exit code 1"',
        'turn-start',
        'call call_3 agent {"prompt":"Find it."}',
        'result call_3 "It is in total.ts."',
        'compaction',
        'prompt Fix it.',
      ])
    }))

  it('adds up to what SQL counts', () =>
    inProject(async (path) => {
      const { items } = await readAll(path)
      expect(tallyOf(items)).toEqual(counted(path))
    }))

  it('is found by the list of projects', () =>
    inProject(async (path, folder) => {
      const data = join(folder, 'data')
      mkdirSync(data)
      const projects = [
        { path: folder, data_dir: join(folder, '.crush') },
        { path: '/gone', data_dir: '/gone/.crush' },
        { path: '/odd', data_dir: 7 },
      ]
      writeFileSync(join(data, 'projects.json'), JSON.stringify({ projects }))
      const found = []
      const env = { CRUSH_GLOBAL_DATA: data }
      for await (const one of findTranscripts({ env, programs: ['crush'], home: folder })) {
        found.push(one.path)
      }
      expect(found).toEqual([path])
    }))

  it('has its list where the system keeps data', () => {
    const pathsFor = (env: Record<string, string>, platform: string, home: string) =>
      transcriptLocations(env, platform, home)
        .filter(({ program }) => program === 'crush')
        .map(({ path }) => path)[1]
    expect(pathsFor({}, 'linux', '/home/ada')).toBe('/home/ada/.local/share/crush/projects.json')
    expect(pathsFor({}, 'win32', 'C:\\Users\\ada')).toBe(
      'C:\\Users\\ada\\AppData\\Local\\crush\\projects.json',
    )
  })
})

/** Counts without the reader. */
function counted(path: string): Tally {
  const database = new sqlite.Database(path)
  const one = (sql: string) => Number(Object.values(database.get(sql) ?? {})[0])
  const part = "select count(*) from messages, json_each(parts) where json_extract(value, '$.type')"
  const real = 'is_summary_message = 0'
  try {
    return rounded({
      ...nothing(),
      prompts: one(
        `${part} = 'text' and role = 'user' and json_extract(value, '$.data.hidden') is null`,
      ),
      turns: one(`select count(*) from messages where role = 'assistant' and ${real}`),
      calls: one(`${part} = 'tool_call'`),
      results: one(`${part} = 'tool_result'`),
      errors: one(`${part} = 'tool_result' and json_extract(value, '$.data.is_error')`),
      cost: one('select sum(cost) from sessions where parent_session_id is null'),
    })
  } finally {
    database.close()
  }
}
