import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { fixture } from './read.js'

/** Nobody minds if what a test writes is lost with the power. */
export const QUICKLY = 'pragma synchronous = off; pragma journal_mode = memory'

/** The database that opencode would have made of its files. */
export function writeOpencode(path: string): void {
  const database = new sqlite.Database(path)
  database.exec(QUICKLY)
  database.exec(
    'create table session (id text primary key, project_id text, parent_id text, directory text, title text, time_created integer, time_updated integer)',
  )
  database.exec(
    'create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text)',
  )
  database.exec(
    'create table part (id text primary key, message_id text, session_id text, time_created integer, time_updated integer, data text)',
  )
  for (const record of recordsIn(fixture('opencode-tree'))) {
    const { id, sessionID, messageID, ...data } = record
    const at = record.time?.created ?? 0
    if (messageID) {
      database.run('insert into part values (?, ?, ?, ?, ?, ?)', [
        id,
        messageID,
        sessionID,
        at,
        at,
        JSON.stringify(data),
      ])
    } else if (sessionID) {
      database.run('insert into message values (?, ?, ?, ?, ?)', [
        id,
        sessionID,
        at,
        at,
        JSON.stringify(data),
      ])
    } else {
      const { projectID, parentID = null, directory, title } = record
      database.run('insert into session values (?, ?, ?, ?, ?, ?, ?)', [
        id,
        projectID,
        parentID,
        directory,
        title,
        at,
        at,
      ])
    }
  }
  database.close()
}

const recordsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8')))

/** A session of goose with a call and its answer. */
export function writeGoose(path: string): void {
  const database = new sqlite.Database(path)
  database.exec(QUICKLY)
  database.exec('create table sessions (id text, working_dir text, created_at text)')
  database.exec(
    'create table messages (id integer primary key, session_id text, role text, content_json text, created_timestamp integer)',
  )
  database.run('insert into sessions values (?, ?, ?)', ['1', '/shop', '2026-11-06 08:00:00'])
  const call = { status: 'success', value: { name: 'shell', arguments: { command: 'ls' } } }
  const answer = { status: 'success', value: [{ type: 'text', text: 'a.ts' }] }
  const messages: [string, object[]][] = [
    ['user', [{ type: 'text', text: 'Why?' }]],
    ['assistant', [{ type: 'toolRequest', id: 'c', toolCall: call }]],
    ['user', [{ type: 'toolResponse', id: 'c', toolResult: answer }]],
  ]
  for (const [role, content] of messages) {
    database.run('insert into messages values (null, ?, ?, ?, ?)', [
      '1',
      role,
      JSON.stringify(content),
      1793952000,
    ])
  }
  database.close()
}

/** The rows of goose's database of schema 15: a session, its sub-agent, and one from before usage was kept by answer. */
export const gooseRows = {
  sessions: [
    {
      ...{ id: '20261106_1', session_type: 'user', working_dir: '/home/ada/shop' },
      ...{ created_at: '2026-11-06 08:00:00', parent_session_id: null },
      model_config_json: '{"model_name":"claude-sonnet-5","context_limit":200000}',
      ...{ accumulated_input_tokens: 3700, accumulated_output_tokens: 90 },
      ...{ accumulated_cache_read_tokens: 2000, accumulated_cache_write_tokens: 300 },
      accumulated_cost: 0.0123,
    },
    {
      ...{ id: '20261106_2', session_type: 'sub_agent', working_dir: '/home/ada/shop' },
      ...{ created_at: '2026-11-06 08:00:05', parent_session_id: '20261106_1' },
      model_config_json: '{"model_name":"claude-haiku-5"}',
      ...{ accumulated_input_tokens: 500, accumulated_output_tokens: 20 },
      ...{ accumulated_cache_read_tokens: 0, accumulated_cache_write_tokens: 0 },
      accumulated_cost: null,
    },
    {
      ...{ id: '20251001_7', session_type: 'user', working_dir: '/home/ada/old' },
      ...{ created_at: '2025-10-01 10:00:00', parent_session_id: null },
      model_config_json: null,
      ...{ accumulated_input_tokens: 8000, accumulated_output_tokens: 120 },
      ...{ accumulated_cache_read_tokens: null, accumulated_cache_write_tokens: null },
      accumulated_cost: null,
    },
  ],
  messages: [
    message('20261106_1', 'user', 1793952000, [
      { type: 'text', text: 'Why does the login test fail?' },
    ]),
    message('20261106_1', 'assistant', 1793952002, [
      { type: 'thinking', thinking: 'The test may read a file.', signature: 's' },
      { type: 'text', text: 'I will look.' },
    ]),
    message('20261106_1', 'assistant', 1793952002, [
      request('c1', 'developer__shell', { command: 'npm test' }),
    ]),
    message('20261106_1', 'user', 1793952003, [
      response('c1', { content: [{ type: 'text', text: '1 failed' }], isError: true }),
    ]),
    message('20261106_1', 'assistant', 1793952004, [
      request('c2', 'subagent', { instructions: 'Find the caller.' }),
      { type: 'toolRequest', id: 'c3', toolCall: { status: 'error', error: 'not JSON' } },
    ]),
    message('20261106_1', 'user', 1793952009, [
      response('c2', { content: [{ type: 'text', text: 'login.ts:7' }], isError: false }),
      { type: 'toolResponse', id: 'c3', toolResult: { status: 'error', error: 'not JSON' } },
    ]),
    message('20261106_1', 'user', 1793952010, [{ type: 'text', text: 'A summary of it all.' }], {
      userVisible: false,
      agentVisible: true,
    }),
    message('20261106_1', 'assistant', 1793952012, [{ type: 'text', text: 'It fails.' }]),
    message('20261106_2', 'user', 1793952005, [{ type: 'text', text: 'Find the caller.' }]),
    message('20261106_2', 'assistant', 1793952006, [
      request('c4', 'developer__shell', { command: 'grep -rn login' }),
    ]),
    message('20261106_2', 'user', 1793952007, [
      response('c4', { content: [{ type: 'text', text: 'login.ts:7' }] }),
    ]),
    message('20251001_7', 'user', 1759312800, [{ type: 'text', text: 'List the files.' }]),
    message('20251001_7', 'assistant', 1759312801, [
      request('c5', 'developer__shell', { command: 'ls' }),
    ]),
    message('20251001_7', 'user', 1759312802, [
      {
        type: 'toolResponse',
        id: 'c5',
        toolResult: { status: 'success', value: [{ type: 'text', text: 'a.ts' }] },
      },
    ]),
  ],
  usage_ledger: [
    used('20261106_1', 1793952002, 'claude-sonnet-5', [1100, 40, 900, 100], 0.004, 0),
    used('20261106_1', 1793952004, 'claude-sonnet-5', [1300, 30, 1100, 200], 0.005, 0),
    used('20261106_1', 1793952010, 'claude-haiku-5', [1200, 15, 0, 0], 0.001, 1),
    // a provider that counts what came from a cache apart
    used('20261106_1', 1793952012, 'claude-sonnet-5', [100, 5, 400, 0], 0.0023, 0),
    used('20261106_2', 1793952006, 'claude-haiku-5', [500, 20, 0, 0], null, 0),
  ],
}

/** goose's database, with the columns that are read. */
export function writeGooseToday(path: string): void {
  const database = new sqlite.Database(path)
  database.exec(QUICKLY)
  database.exec('create table schema_version (version integer primary key, applied_at timestamp)')
  for (const [table, rows] of Object.entries(gooseRows)) {
    const columns = Object.keys(rows[0] as object)
    const first = 'id' in (rows[0] as object) ? [] : ['id integer primary key autoincrement']
    database.exec(`create table ${table} (${[...first, ...columns].join(', ')})`)
    const marks = columns.map(() => '?').join(', ')
    for (const row of rows) {
      const put = `insert into ${table} (${columns.join(', ')}) values (${marks})`
      database.run(put, Object.values(row))
    }
  }
  database.close()
}

function message(
  session_id: string,
  role: string,
  created_timestamp: number,
  content: object[],
  metadata = { userVisible: true, agentVisible: true },
) {
  const content_json = JSON.stringify(content)
  return {
    session_id,
    role,
    content_json,
    created_timestamp,
    metadata_json: JSON.stringify(metadata),
  }
}

function request(id: string, name: string, args: object) {
  return {
    type: 'toolRequest',
    id,
    toolCall: { status: 'success', value: { name, arguments: args } },
  }
}

function response(id: string, value: object) {
  return { type: 'toolResponse', id, toolResult: { status: 'success', value } }
}

function used(
  session_id: string,
  created_timestamp: number,
  model: string,
  [input_tokens, output_tokens, cache_read_tokens, cache_write_tokens]: [
    number,
    number,
    number,
    number,
  ],
  cost: number | null,
  is_compaction: number,
) {
  return {
    ...{ session_id, created_timestamp, model, input_tokens, output_tokens },
    ...{ cache_read_tokens, cache_write_tokens, cost, is_compaction },
  }
}

/** Two sessions of Crush, the second of which is a sub-agent's. */
export function writeCrush(path: string): void {
  const database = new sqlite.Database(path)
  database.exec(QUICKLY)
  database.exec(
    'create table sessions (id text primary key, parent_session_id text, title text not null, message_count integer not null default 0, prompt_tokens integer not null default 0, completion_tokens integer not null default 0, cost real not null default 0.0, updated_at integer not null, created_at integer not null, summary_message_id text)',
  )
  database.exec(
    'create table files (id text primary key, session_id text, path text, content text)',
  )
  database.exec(
    "create table messages (id text primary key, session_id text not null, role text not null, parts blob not null default '[]', model text, created_at integer not null, updated_at integer not null, finished_at integer, provider text, is_summary_message integer not null default 0)",
  )
  const sessions = [
    ['s1', null, 0.4231, 1794560400],
    ['m4$$call_3', 's1', 0.0123, 1794560410],
  ]
  for (const [id, parent, cost, at] of sessions) {
    database.run('insert into sessions values (?, ?, ?, 0, 900, 40, ?, ?, ?, null)', [
      ...[id, parent, 'Checkout', cost, at, at],
    ] as never)
  }
  const text = (words: string, hidden = false) => ({
    ...{ type: 'text', data: { text: words, ...(hidden && { hidden }) } },
  })
  const call = (id: string, name: string, input: object) => ({
    type: 'tool_call',
    data: { id, name, input: JSON.stringify(input), provider_executed: false, finished: true },
  })
  const result = (id: string, name: string, content: string, isError = false) => ({
    type: 'tool_result',
    data: { tool_call_id: id, name, content, metadata: '', is_error: isError },
  })
  const finish = (reason: string) => ({ type: 'finish', data: { reason, time: 1794560404 } })
  const thought = { type: 'reasoning', data: { thinking: 'A fixture?', signature: 'c2ln' } }
  const shell = { type: 'shell_command', data: { command: 'ls', output: 'a.ts', exit_code: 0 } }
  const rows: [string, string, object[], number?][] = [
    ['s1', 'user', [text('Why does the checkout test fail?')]],
    [
      ...(['s1', 'assistant'] as const),
      [
        ...[
          thought,
          text('I will look.'),
          call('call_1', 'view', { file_path: 'checkout.test.ts' }),
        ],
        ...[call('call_2', 'bash', { command: 'npm test' }), finish('tool_use')],
      ],
    ],
    [
      ...(['s1', 'tool'] as const),
      [result('call_1', 'view', 'test()'), result('call_2', 'bash', 'Exit code 1', true)],
    ],
    ['s1', 'assistant', [call('call_3', 'agent', { prompt: 'Find it.' }), finish('tool_use')]],
    ['s1', 'tool', [result('call_3', 'agent', 'It is in total.ts.')]],
    ['s1', 'assistant', [text('A summary of it all.'), finish('end_turn')], 1],
    ['s1', 'user', [text('Go on from the summary.', true)]],
    ['s1', 'user', [shell, text('Fix it.')]],
    ['s1', 'assistant', [text('Fix'), finish('canceled')]],
    ['m4$$call_3', 'user', [text('Find it.')]],
    ['m4$$call_3', 'assistant', [call('call_4', 'grep', { pattern: 'x' }), finish('tool_use')]],
    ['m4$$call_3', 'tool', [result('call_4', 'grep', 'total.ts:1')]],
    ['m4$$call_3', 'assistant', [text('It is in total.ts.'), finish('end_turn')]],
  ]
  for (const [i, [session, role, parts, isSummary = 0]] of rows.entries()) {
    const model = role === 'assistant' ? 'claude-sonnet-4-5' : null
    database.run('insert into messages values (?, ?, ?, ?, ?, ?, ?, null, null, ?)', [
      ...[`m${i + 1}`, session, role, JSON.stringify(parts), model],
      ...[1794560400, 1794560400, isSummary],
    ])
  }
  database.close()
}
