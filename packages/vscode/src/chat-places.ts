import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { claim } from '@unloop/agent/claim'
import { CHAT_ENDING, LOCK_ENDING, namesIn, SESSION_ENDING } from './store.js'

/** What is open in a window, as URIs. */
export interface Workspace {
  /** the file of a workspace with several folders */
  file: string | undefined
  folders: readonly string[]
}

/** Where the chats of a workspace are kept: in every window of it in the same place, and without a folder in one of their own. */
export function chatFolder(
  storage: string,
  { file, folders }: Workspace,
  platform: NodeJS.Platform = process.platform,
): string {
  const uri = file ?? folders[0]
  const chats = join(storage, 'chats')
  if (uri === undefined) return chats
  const plain = uri.endsWith('/') ? uri.slice(0, -1) : uri
  const same = platform === 'linux' ? plain : plain.toLowerCase()
  return join(chats, createHash('sha256').update(same).digest('hex').slice(0, 16))
}

/**
 * Where earlier versions kept them. If a second window, or one whose connection was lost, had the folder of a workspace, the
 * editor gave them another one with a number.
 */
export function formerFolders(storage: string): string[] {
  const own = dirname(storage)
  const plain = own.replace(/(?<=[^\\/])-\d$/, '')
  const all = [...new Set([own, plain])].flatMap((one) => [
    one,
    ...COPIES.map((n) => `${one}-${n}`),
  ])
  return [...new Set(all)].map((one) => join(one, basename(storage), 'chats'))
}

// the editor tries ten names
const COPIES = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/**
 * Moves chats that nobody has open, each with its conversation. One that cannot be moved stays where it is, for the next
 * time. Tells how many were moved.
 */
export function moveChats(
  from: readonly string[],
  to: string,
  onProblem: (text: string) => void,
): number {
  let moved = 0
  for (const folder of from) {
    const names = namesIn(folder).filter((name) => name.endsWith(CHAT_ENDING))
    for (const name of names) {
      try {
        if (moveChat(folder, to, name.slice(0, -CHAT_ENDING.length))) moved++
      } catch (error) {
        // another window may have moved it, and its folder is gone
        if (!existsSync(join(folder, name))) continue
        onProblem(`a chat in ${folder} cannot be moved: ${(error as Error).message}`)
      }
    }
    if (names.length > 0) removeEmpty(folder)
  }
  return moved
}

function moveChat(from: string, to: string, id: string): boolean {
  const claimed = claim(join(from, id + LOCK_ENDING))
  if (claimed.type === 'taken') return false
  try {
    if (!existsSync(join(from, id + CHAT_ENDING))) return false
    if (existsSync(join(to, id + CHAT_ENDING))) return false
    mkdirSync(to, { recursive: true, mode: 0o700 })
    // the chat comes last: what is interrupted in between is moved the next time
    moveFile(join(from, id + SESSION_ENDING), join(to, id + SESSION_ENDING))
    moveFile(join(from, id + CHAT_ENDING), join(to, id + CHAT_ENDING))
    return true
  } finally {
    claimed.claim.release()
  }
}

function moveFile(from: string, to: string): void {
  // a chat that was never answered has no conversation
  if (!existsSync(from)) return
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const draft = `${to}.${process.pid}.tmp`
    const { atime, mtime } = statSync(from)
    copyFileSync(from, draft)
    // chats are in the order of their times
    utimesSync(draft, atime, mtime)
    renameSync(draft, to)
    rmSync(from)
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // something is left, such as a chat that is open
  }
}
