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
