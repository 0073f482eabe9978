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
import {
  type Claimed,
  type ClaimRequest,
  claim,
  claimedBy,
  createClaimWatch,
  requestClaim,
} from '@unloop/agent/claim'
import { type GuardMode, savedGuardMode } from '@unloop/agent/guard-mode'
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

/** The chats of a workspace, the same for every window in which it is open. */
export interface ChatStore {
  /** Their ids, the last one first. */
  ids(): string[]
  /** A chat as its window has saved it; nothing if it cannot be read. */
  read(id: string): SavedChat | undefined
  /** What is another number once the chat was saved again. */
  changedAt(id: string): number | undefined
  /** Writes it down, which only the window may that has claimed it. */
  save(chat: SavedChat): void
  forget(id: string): void
  /** Claims a chat for this window; others do not write to it meanwhile. */
  claim(id: string): Claimed
  /** Asks the window that has claimed it. */
  request(id: string): ClaimRequest
  /** Whether a window has claimed it. */
  isClaimed(id: string): boolean
  /** Tells that again and again. */
  watch(id: string): () => boolean
  /** The file the agent keeps its conversation in. */
  sessionPath(id: string): string
  /** Puts a conversation that cannot be read out of the way. */
  setAside(id: string): void
}

// more than anyone looks through, less than fills a disk
const MAX_CHATS = 500
export const CHAT_ENDING = '.chat.json'
export const SESSION_ENDING = '.session.jsonl'
export const LOCK_ENDING = '.lock'

/** Chats as files in this folder, readable by their owner only. */
export function createChatStore(folder: string): ChatStore {
  const lockPath = (id: string) => join(folder, id + LOCK_ENDING)
  const chatPath = (id: string) => join(folder, id + CHAT_ENDING)
  const sessionPath = (id: string) => join(folder, id + SESSION_ENDING)
  const changedAt = (id: string) => statSync(chatPath(id), { throwIfNoEntry: false })?.mtimeMs

  const ids = () =>
    namesIn(folder)
      .filter((name) => name.endsWith(CHAT_ENDING))
      .map((name) => name.slice(0, -CHAT_ENDING.length))
      // another window may forget one meanwhile
      .map((id) => ({ id, at: changedAt(id) ?? 0 }))
      .sort((a, b) => b.at - a.at)
      .map(({ id }) => id)

  function forget(id: string) {
    rmSync(chatPath(id), { force: true })
    rmSync(sessionPath(id), { force: true })
  }

  /** Those that a window has open stay. */
  function forgetOldest() {
    for (const id of ids().slice(MAX_CHATS)) {
      const claimed = claim(lockPath(id))
      if (claimed.type === 'taken') continue
      forget(id)
      claimed.claim.release()
    }
  }

  const makeFolder = () => mkdirSync(folder, { recursive: true, mode: 0o700 })

  return {
    ids,
    read: (id) => readChat(chatPath(id)),
    changedAt,
    save(chat) {
      makeFolder()
      const draft = `${chatPath(chat.id)}.${process.pid}.tmp`
      writeFileSync(draft, JSON.stringify(chat), { mode: 0o600 })
      // two may be written within what a file system calls one moment
      utimesSync(draft, chat.changedAt / 1000, chat.changedAt / 1000)
      renameSync(draft, chatPath(chat.id))
      if (chat.items.length <= 1) forgetOldest()
    },
    forget,
    claim(id) {
      makeFolder()
      return claim(lockPath(id))
    },
    request: (id) => requestClaim(lockPath(id)),
    isClaimed: (id) => claimedBy(lockPath(id)) !== undefined,
    watch(id) {
      const owner = createClaimWatch(lockPath(id))
      return () => owner() !== undefined
    },
    sessionPath,
    setAside(id) {
      if (existsSync(sessionPath(id))) renameSync(sessionPath(id), `${sessionPath(id)}.damaged`)
    },
  }
}

/** The names of what is in a folder; of one that is not there, none. */
export function namesIn(folder: string): string[] {
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
    if (chat.guardMode === undefined) return chat
    return { ...chat, guardMode: savedGuardMode(chat.guardMode) }
  } catch {
    // one damaged file must not take the others with it
    return
  }
}
