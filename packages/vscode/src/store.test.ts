import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ChatItem } from './chat/item.js'
import { createChatStore } from './store.js'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'unloop-store-')), 'chats')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const said: ChatItem = { type: 'person', id: 'p', text: 'hello', context: [] }

it('gives back what was saved, the last one first, for its owner only', () => {
  const store = createChatStore(folder)
  expect(store.ids()).toEqual([])
  store.save({ id: 'a', changedAt: 1, items: [said] })
  store.save({ id: 'b', changedAt: 2, items: [said] })
  store.save({ id: 'a', changedAt: 3, items: [said, said] })
  expect(store.ids()).toEqual(['a', 'b'])
  expect(store.read('a')).toEqual({ id: 'a', changedAt: 3, items: [said, said] })
  expect(store.changedAt('a')).not.toBe(store.changedAt('b'))
  store.claim('a')
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o77).toBe(0)
  expect(statSync(folder).mode & 0o77).toBe(0)
})

it('passes over a file that is damaged', () => {
  const store = createChatStore(folder)
  store.save({ id: 'a', changedAt: 1, items: [said] })
  writeFileSync(join(folder, 'b.chat.json'), '{"id":"b",')
  writeFileSync(join(folder, 'c.chat.json'), '{}')
  expect(store.read('a')?.id).toBe('a')
  expect(['b', 'c', 'd'].map(store.read)).toEqual([undefined, undefined, undefined])
})

it('keeps the last five hundred chats, and those that are open', () => {
  const store = createChatStore(folder)
  store.claim('chat-0')
  for (let n = 0; n < 503; n++) store.save({ id: `chat-${n}`, changedAt: n * 1000, items: [said] })
  const ids = store.ids()
  expect(ids).toHaveLength(501)
  expect(ids[0]).toBe('chat-502')
  expect(ids.slice(-2)).toEqual(['chat-3', 'chat-0'])
})
