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
  expect(store.list()).toEqual([])
  store.save({ id: 'a', changedAt: 1, items: [said] })
  store.save({ id: 'b', changedAt: 2, items: [said] })
  store.save({ id: 'a', changedAt: 3, items: [said, said] })
  expect(store.list().map(({ id, items }) => [id, items.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o77).toBe(0)
})

it('keeps the chats in which something was said, however many empty ones are made', () => {
  const store = createChatStore(folder)
  for (let at = 0; at < 40; at++) store.save({ id: `said-${at}`, changedAt: at, items: [said] })
  for (let at = 0; at < 45; at++) store.save({ id: `empty-${at}`, changedAt: 99 + at, items: [] })
  expect(store.list().map(({ id }) => id)).toEqual([
    'empty-44',
    ...Array.from({ length: 40 }, (_, at) => `said-${39 - at}`),
  ])
})

it('passes over a file that is damaged', () => {
  const store = createChatStore(folder)
  store.save({ id: 'a', changedAt: 1, items: [said] })
  writeFileSync(join(folder, 'b.chat.json'), '{"id":"b",')
  writeFileSync(join(folder, 'c.chat.json'), '{}')
  expect(store.list().map(({ id }) => id)).toEqual(['a'])
  expect(store.latest()?.id).toBe('a')
})

it('knows that nothing runs any more after a restart', () => {
  const store = createChatStore(folder)
  const call = {
    type: 'call',
    id: 'c',
    name: 'read',
    args: '',
    state: 'running',
    output: '',
  } as const
  const question = { type: 'question', id: 'q', tool: 'edit', question: '?' } as const
  store.save({ id: 'a', changedAt: 1, items: [call, question] })
  expect(store.list()[0]?.items).toMatchObject([{ state: 'lost' }, { answer: false }])
})

it('keeps the last fifty chats', () => {
  const store = createChatStore(folder)
  for (let n = 0; n < 60; n++) store.save({ id: `chat-${n}`, changedAt: n, items: [said] })
  expect(store.list()).toHaveLength(50)
  expect(store.list()[0]?.id).toBe('chat-59')
  expect(store.latest()?.id).toBe('chat-59')
})

it('does not open for others a chat that another window has taken', () => {
  const storeOf = (pid: number) => createChatStore(folder, { pid, isAlive: () => true })
  const [first, second] = [storeOf(1), storeOf(2)]
  first.save({ id: 'a', changedAt: 1, items: [said] })
  second.hold('a')
  first.release()
  expect(storeOf(3).latest()).toBeUndefined()
})

it('leaves to another window the chat it has open, for as long as that is there', () => {
  const alive = new Set([1, 2])
  const storeOf = (pid: number) =>
    createChatStore(folder, { pid, isAlive: (one) => alive.has(one) })
  const [first, second] = [storeOf(1), storeOf(2)]
  first.save({ id: 'a', changedAt: 1, items: [said] })
  expect(second.latest()).toBeUndefined()
  second.save({ id: 'b', changedAt: 2, items: [said] })
  expect(second.list().map(({ id }) => id)).toEqual(['b'])
  expect(storeOf(1).latest()?.id).toBe('a')
  alive.delete(1)
  expect(second.list().map(({ id }) => id)).toEqual(['b', 'a'])
  second.release()
  alive.add(1)
  expect(first.list().map(({ id }) => id)).toEqual(['b', 'a'])
})
