import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type GuardMode, savedGuardMode } from '@unloop/agent/guard-mode'
import { afterRestart } from './chat/chat.js'
import type { ChatItem } from './chat/item.js'
import type { Settings } from './settings.js'

/** A chat as it is kept. */
export interface SavedChat {
  id: string
  changedAt: number
  items: ChatItem[]
  /** the settings it was last held with */
  settings?: Settings
  guardMode?: GuardMode
}

/** Where the chats of a workspace are kept. */
export interface ChatStore {
  save(chat: SavedChat): void
  /** The last chat; the others are not looked into, since the editor waits for it at its start. */
  latest(): SavedChat | undefined
  /** The chats, the last one first. */
  list(): SavedChat[]
  /** The file the agent keeps its conversation in. */
  sessionPath(id: string): string
  /** Takes a chat for this window, and gives back the one it had; others do not open it meanwhile. */
  hold(id: string): void
  release(): void
  /** Puts a conversation that cannot be read out of the way. */
  setAside(id: string): void
}

// more than anyone looks through, less than fills a disk
const MAX_CHATS = 50
const ENDING = '.chat.json'

/** Chats as files in this folder, readable by their owner only. */
export function createChatStore(
  folder: string,
  owner: Owner = { pid: process.pid, isAlive },
): ChatStore {
  let held: string | undefined
  let isHeldEmpty = false
  const lockPath = (id: string) => join(folder, `${id}.lock`)
  const chatPath = (id: string) => join(folder, id + ENDING)
  const sessionPath = (id: string) => join(folder, `${id}.session.jsonl`)

  const ownerOf = (id: string) => Number(readOr(lockPath(id), ''))

  /** Whether another window has it open; windows without a folder share one store. */
  const isTaken = (id: string) => {
    const pid = ownerOf(id)
    return pid > 0 && pid !== owner.pid && owner.isAlive(pid)
  }

  function hold(id: string) {
    if (held === id) return
    // one in which nothing was said is not kept, so that it takes the place of none
    if (held !== undefined && isHeldEmpty) forget(held)
    release()
    isHeldEmpty = false
    writeFileSync(lockPath(id), String(owner.pid), { mode: 0o600 })
    held = id
  }

  function release() {
    // another window may have taken it meanwhile
    if (held !== undefined && ownerOf(held) === owner.pid) rmSync(lockPath(held), { force: true })
    held = undefined
  }

  /** Their ids, the last one first. */
  const ids = () =>
    namesIn(folder)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.at - a.at)
      .map(({ name }) => name.slice(0, -ENDING.length))

  function forget(id: string) {
    rmSync(chatPath(id), { force: true })
    rmSync(sessionPath(id), { force: true })
  }

  function forgetOldest() {
    for (const id of ids().slice(MAX_CHATS)) if (!isTaken(id)) forget(id)
  }

  return {
    save(chat) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      hold(chat.id)
      isHeldEmpty = chat.items.length === 0
      const draft = `${chatPath(chat.id)}.${process.pid}.tmp`
      writeFileSync(draft, JSON.stringify(chat), { mode: 0o600 })
      // two may be written within what a file system calls one moment
      utimesSync(draft, chat.changedAt / 1000, chat.changedAt / 1000)
      renameSync(draft, chatPath(chat.id))
      if (chat.items.length <= 1) forgetOldest()
    },
    latest() {
      for (const id of ids().filter((one) => !isTaken(one))) {
        const chat = readChat(chatPath(id))
        if (chat) return chat
      }
    },
    list: () =>
      ids()
        .filter((id) => !isTaken(id))
        .flatMap((id) => readChat(chatPath(id)) ?? []),
    hold,
    release,
    sessionPath,
    setAside(id) {
      if (existsSync(sessionPath(id))) renameSync(sessionPath(id), `${sessionPath(id)}.damaged`)
    },
  }
}

/** A window, and how to know whether another is still there. */
export interface Owner {
  pid: number
  isAlive(pid: number): boolean
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // it is there, and belongs to somebody else
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // nothing was saved yet
    return []
  }
}

function readChat(path: string): SavedChat | undefined {
  try {
    const chat = JSON.parse(readFileSync(path, 'utf8')) as SavedChat
    if (!Array.isArray(chat.items)) return
    const items = afterRestart(chat.items)
    if (chat.guardMode === undefined) return { ...chat, items }
    return { ...chat, items, guardMode: savedGuardMode(chat.guardMode) }
  } catch {
    // one damaged file must not take the others with it
    return
  }
}
