import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ChatItem } from './chat/item.js'
import { createChatAccess } from './chat-access.js'
import { type ChatStore, createChatStore } from './store.js'

let folder: string
let store: ChatStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-access-'))
  store = createChatStore(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const said: ChatItem = { type: 'person', id: 'p', text: 'hello', context: [] }
const warnings: string[] = []
const openWindow = () => createChatAccess(store, { warn: (text) => warnings.push(text) })

it('begins with the last chat that can be read', () => {
  store.save({ id: 'a', changedAt: 1, items: [said] })
  writeFileSync(join(folder, 'b.chat.json'), '{"id":"b",')
  expect(openWindow().latest()?.id).toBe('a')
})

it('knows that nothing runs any more in a chat that is its own, but not in one it reads', () => {
  const call = { type: 'call', id: 'c', name: 'read', args: '', state: 'running', output: '' }
  const items = [call, { type: 'question', id: 'q', tool: 'edit', question: '?' }] as ChatItem[]
  store.save({ id: 'a', changedAt: 1, items })
  const [first, second] = [openWindow(), openWindow()]
  expect(first.latest()?.items).toMatchObject([{ state: 'lost' }, { answer: false }])
  expect(second.latest()?.items).toEqual(items)
  first.leave()
  expect(second.check()).toBe('free')
  expect(second.read()?.items).toMatchObject([{ state: 'lost' }, { answer: false }])
})

it('claims a chat that is new when it is saved, which another window cannot do then', () => {
  const [first, second] = [openWindow(), openWindow()]
  first.claim('a')
  first.claim('a')
  expect(() => second.claim('a')).toThrow('it is open in another window')
  expect(second.reading).toBe('open-elsewhere')
  first.leave()
  expect(second.check()).toBe('free')
  second.claim('a')
  expect(() => first.claim('a')).toThrow('it is open in another window')
})

it('gives back what it leaves once its last word is written', async () => {
  store.save({ id: 'a', changedAt: 1, items: [said] })
  const [first, second] = [openWindow(), openWindow()]
  first.open('a')
  let write = () => {}
  const written = new Promise<void>((resolve) => {
    write = resolve
  })
  first.leave({ after: written })
  second.open('a')
  expect(second.check()).toBeUndefined()
  write()
  await written
  expect(second.check()).toBe('free')
})

it('hands over to the window that asked last, after the last word', async () => {
  store.save({ id: 'a', changedAt: 1, items: [said] })
  const [first, second, third] = [openWindow(), openWindow(), openWindow()]
  for (const one of [first, second, third]) one.open('a')
  second.request()
  third.request()
  expect(first.check()).toBe('requested')
  const states: unknown[] = []
  const isGiven = await first.handOver(async () => {
    states.push(first.reading, third.check())
    // it writes its last word
    first.claim('a')
  })
  expect(states).toEqual(['open-elsewhere', undefined])
  expect(isGiven).toBe(true)
  expect([first.check(), second.check(), third.check()]).toEqual([undefined, undefined, 'free'])
  expect([first, second, third].map(({ reading }) => reading)).toEqual([
    ...['open-elsewhere', 'requested', undefined],
  ])
})

it('keeps a chat whose request is withdrawn, and gives back one that was left meanwhile', async () => {
  for (const id of ['a', 'b']) store.save({ id, changedAt: 1, items: [said] })
  const [first, second] = [openWindow(), openWindow()]
  for (const one of [first, second]) one.open('a')
  second.request()
  expect(await first.handOver(async () => second.leave())).toBe(false)
  expect(first.reading).toBeUndefined()
  second.open('a')
  second.request()
  expect(await first.handOver(async () => void first.open('b'))).toBe(false)
  expect(first.reading).toBeUndefined()
  expect(second.check()).toBe('free')
})

it('continues a chat that cannot be claimed, and says that', () => {
  store.save({ id: 'a', changedAt: 1, items: [said] })
  const broken: ChatStore = {
    ...store,
    claim() {
      throw new Error('read-only')
    },
  }
  const access = createChatAccess(broken, { warn: (text) => warnings.push(text) })
  expect(access.open('a')?.items).toEqual([said])
  expect(access.reading).toBeUndefined()
  expect(warnings.at(-1)).toBe('the chat cannot be claimed: read-only')
})
