import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatItem } from '../src/chat/item.js'
import { chatFolder, formerFolders, moveChats } from '../src/chat-places.js'
import { createChatStore } from '../src/store.js'

// windows are processes
const programs = mkdtempSync(join(tmpdir(), 'unloop-windows-'))
const program = join(programs, 'window.mjs')
const agent = fileURLToPath(new URL('../../agent/src', import.meta.url))
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL('window-child.ts', import.meta.url))],
    ...{ outfile: program, bundle: true, platform: 'node', format: 'esm' },
    alias: { '@unloop/agent': agent },
    logLevel: 'warning',
  }),
)
afterAll(() => rmSync(programs, { recursive: true }))

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unloop-windows-'))
})
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(root, { recursive: true })
})

/** A window of a workspace whose chats are in this folder, and were in those. */
async function startWindow(folder: string, former: readonly string[] = []) {
  const child = spawn(process.execPath, [program, folder, ...former])
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    async open() {
      child.stdin.write('open\n')
      return JSON.parse((await lines.next()).value)
    },
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const said = (text: string): ChatItem[] => [{ type: 'person', id: 'p', text, context: [] }]

/** Chats as earlier versions kept them. */
function writeFormer(folder: string, ...names: string[]) {
  mkdirSync(folder, { recursive: true })
  for (const [at, id] of names.entries()) {
    const path = join(folder, `${id}.chat.json`)
    writeFileSync(path, JSON.stringify({ id, changedAt: at, items: said(id) }))
    utimesSync(path, at, at)
    writeFileSync(join(folder, `${id}.session.jsonl`), `conversation of ${id}\n`)
  }
}

describe('windows that are opened in the same moment', () => {
  it('do not take one chat', async () => {
    const folder = join(root, 'chats')
    createChatStore(folder).save({ id: 'a', changedAt: 1, items: said('hello') })
    for (let round = 0; round < 5; round++) {
      const windows = await Promise.all(Array.from({ length: 4 }, () => startWindow(folder)))
      const opened = await Promise.all(windows.map((window) => window.open()))
      expect(opened.map(({ id }) => id)).toEqual(['a', 'a', 'a', 'a'])
      expect(opened.filter(({ reading }) => reading === undefined)).toHaveLength(1)
      // all at once, so that none gives anything back: what is dead is taken over in the next round
      await Promise.all(windows.map((window) => window.kill()))
    }
  })

  it('move each chat of an earlier version once, and lose none', async () => {
    const [to, one, other] = [
      join(root, 'new'),
      join(root, 'ws/x/chats'),
      join(root, 'ws/x-1/chats'),
    ]
    const names = Array.from({ length: 40 }, (_, at) => `chat-${at}`)
    writeFormer(one, ...names.slice(0, 25))
    writeFormer(other, ...names.slice(25))
    const windows = await Promise.all(
      Array.from({ length: 4 }, () => startWindow(to, [one, other])),
    )
    const opened = await Promise.all(windows.map((window) => window.open()))
    expect(opened.flatMap(({ problems }) => problems)).toEqual([])
    expect(opened.reduce((sum, { moved }) => sum + moved, 0)).toBe(40)
    const store = createChatStore(to)
    expect(store.ids().sort()).toEqual(names.sort())
    for (const id of names) {
      expect(store.read(id)?.items).toEqual(said(id))
      expect(readFileSync(store.sessionPath(id), 'utf8')).toBe(`conversation of ${id}\n`)
    }
    expect([one, other].map(existsSync)).toEqual([false, false])
  })
})

describe('the chats of an earlier version', () => {
  const former = () => join(root, 'workspaceStorage/5e55/unloop.unloop-vscode')
  const to = () => join(root, 'new')
  const problems: string[] = []
  const move = (from = formerFolders(former())) =>
    moveChats(from, to(), (text) => problems.push(text))

  it('are found in all folders that the editor has given the window', () => {
    const at = (name: string) => join(root, `workspaceStorage/${name}/unloop.unloop-vscode`)
    expect(formerFolders(at('5e55'))).toContain(join(at('5e55-9'), 'chats'))
    expect(formerFolders(at('5e55-2'))).toEqual(
      expect.arrayContaining([join(at('5e55'), 'chats'), join(at('5e55-1'), 'chats')]),
    )
    // in a browser, the name of a folder is a number
    expect(formerFolders(at('-2'))).not.toContain(join(dirname(at('x')), 'chats'))
    for (const found of formerFolders(at('-2'))) expect(found).toMatch(/\/-2(-\d)?\/unloop/)
  })

  it('are moved in their order, with what they were moved with', () => {
    writeFormer(join(former(), 'chats'), 'a', 'b', 'c')
    expect(move()).toBe(3)
    expect(createChatStore(to()).ids()).toEqual(['c', 'b', 'a'])
    expect(move()).toBe(0)
    expect(problems).toEqual([])
  })

  it('stay where they are while they are open, or where there is one of that name', () => {
    const chats = join(former(), 'chats')
    writeFormer(chats, 'a', 'b')
    writeFileSync(join(chats, 'a.lock'), `${process.ppid}`)
    createChatStore(to()).save({ id: 'b', changedAt: 1, items: said('another') })
    expect(move()).toBe(0)
    expect(readdirSync(chats).sort()).toEqual([
      ...['a.chat.json', 'a.lock', 'a.session.jsonl', 'b.chat.json', 'b.session.jsonl'],
    ])
    expect(createChatStore(to()).read('b')?.items).toEqual(said('another'))
    rmSync(join(chats, 'a.lock'))
    expect(move()).toBe(1)
  })

  it('are moved to the end if that was interrupted', () => {
    const chats = join(former(), 'chats')
    writeFormer(chats, 'a')
    mkdirSync(to())
    writeFileSync(join(to(), 'a.session.jsonl'), readFileSync(join(chats, 'a.session.jsonl')))
    rmSync(join(chats, 'a.session.jsonl'))
    expect(move()).toBe(1)
    expect(createChatStore(to()).read('a')?.items).toEqual(said('a'))
  })

  // the memory of a machine is another file system
  it.runIf(existsSync('/dev/shm'))('are moved to another file system', () => {
    const elsewhere = mkdtempSync('/dev/shm/unloop-windows-')
    writeFormer(join(former(), 'chats'), 'a', 'b', 'c')
    const moved = moveChats(formerFolders(former()), elsewhere, (text) => problems.push(text))
    expect(moved).toBe(3)
    const store = createChatStore(elsewhere)
    expect(store.ids()).toEqual(['c', 'b', 'a'])
    expect(readFileSync(store.sessionPath('b'), 'utf8')).toBe('conversation of b\n')
    rmSync(elsewhere, { recursive: true })
    expect(existsSync(join(former(), 'chats'))).toBe(false)
  })
})

describe('the place of chats', () => {
  const placeOf = (file: string | undefined, ...folders: string[]) =>
    chatFolder('/storage', { file, folders }, 'linux')

  it('is the same for a folder in every window, and another for every other', () => {
    const here = placeOf(undefined, 'file:///home/me/shop')
    expect(placeOf(undefined, 'file:///home/me/shop/')).toBe(here)
    const others = [
      placeOf(undefined),
      placeOf(undefined, 'file:///home/me/Shop'),
      placeOf(undefined, 'vscode-vfs://github/me/work'),
      placeOf('file:///home/me/work.code-workspace', 'file:///home/me/work', 'file:///home/me/b'),
    ]
    expect(new Set([here, ...others]).size).toBe(5)
    expect(placeOf(undefined)).toBe(join('/storage', 'chats'))
  })

  it('of several folders is that of their file, whatever they are', () => {
    const file = 'file:///home/me/work.code-workspace'
    expect(placeOf(file, 'file:///a', 'file:///b')).toBe(placeOf(file, 'file:///b'))
  })

  it('is the same however a path is written where that is one folder', () => {
    const on = (platform: NodeJS.Platform, uri: string) =>
      chatFolder('/storage', { file: undefined, folders: [uri] }, platform)
    expect(on('win32', 'file:///c%3A/Work')).toBe(on('win32', 'file:///C%3A/work'))
    expect(on('linux', 'file:///Work')).not.toBe(on('linux', 'file:///work'))
  })
})
