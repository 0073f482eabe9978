import type { Claim, ClaimRequest } from '@unloop/agent/claim'
import { afterRestart } from './chat/chat.js'
import type { ChatStore, SavedChat } from './store.js'

/** Why a chat can only be read: another window has it, was asked for it, or does not answer. */
export type Reading = 'open-elsewhere' | 'requested' | 'unanswered'

/** What other windows have done. */
export type Incident = 'requested' | 'free' | 'changed'

/** Which chat this window has open, and whether it may write to it. */
export interface ChatAccess {
  readonly reading: Reading | undefined
  /** Opens a chat, to be written to if no other window has it; nothing if it is gone. */
  open(id: string, options?: LeaveOptions): SavedChat | undefined
  /** What is open, as it was saved last. */
  read(): SavedChat | undefined
  /** Opens the last chat. */
  latest(): SavedChat | undefined
  /** Makes sure that this window may write to a chat. Throws an error if it may not. */
  claim(id: string): void
  /** Gives back what is open. */
  leave(options?: LeaveOptions): void
  /** Asks the other window for the chat. */
  request(): void
  /** Lets the window have the chat that has asked for it, after what is still to be written; whether it has it now. */
  handOver(written: () => Promise<void>): Promise<boolean>
  /** Looks what other windows have done; called again and again. */
  check(): Incident | undefined
}

/** `after` is when the last word was written. */
interface LeaveOptions {
  after?: Promise<unknown> | undefined
}

/** What is open in this window: one chat at a time. */
export function createChatAccess(store: ChatStore, log: { warn(text: string): void }): ChatAccess {
  let open: Open = { type: 'none' }

  /** Claims it; one that cannot be claimed can be continued all the same, only not saved, which is said then. */
  function take(id: string): Open {
    try {
      const claimed = store.claim(id)
      return claimed.type === 'held' ? { type: 'own', id, claim: claimed.claim } : toReading(id)
    } catch (error) {
      log.warn(`the chat cannot be claimed: ${(error as Error).message}`)
      return { type: 'none' }
    }
  }

  const toReading = (id: string): Open => ({
    ...{ type: 'read', id, isClaimed: store.watch(id), changedAt: store.changedAt(id) },
  })

  function leave({ after }: LeaveOptions = {}) {
    const left = open
    open = { type: 'none' }
    if (left.type === 'read') left.asked?.request.cancel()
    if (left.type !== 'own') return
    if (after) after.then(left.claim.release)
    else left.claim.release()
  }

  function openChat(id: string, options?: LeaveOptions): SavedChat | undefined {
    if (!store.read(id)) return
    leave(options)
    open = take(id)
    // the other window may have saved it until it was claimed
    return read(id)
  }

  /** In a chat that is ours, nothing runs that another window has begun. */
  function read(id: string): SavedChat | undefined {
    const chat = store.read(id)
    if (!chat || open.type === 'read') return chat
    return { ...chat, items: afterRestart(chat.items) }
  }

  /** What is read is ours once it was granted, or nobody has it any more. */
  function isFree({ id, isClaimed, asked }: OpenToRead): boolean {
    const granted = asked?.request.granted()
    if (granted) {
      open = { type: 'own', id, claim: granted }
      return true
    }
    if (isClaimed()) return false
    const taken = take(id)
    // a third window was faster
    if (taken.type === 'read') return false
    asked?.request.cancel()
    open = taken
    return true
  }

  return {
    get reading() {
      if (open.type === 'handing-over') return 'open-elsewhere'
      if (open.type !== 'read') return undefined
      if (!open.asked) return 'open-elsewhere'
      return open.asked.checks > PATIENCE ? 'unanswered' : 'requested'
    },
    open: openChat,
    read: () => (open.type === 'none' ? undefined : read(open.id)),
    latest() {
      for (const id of store.ids()) {
        const chat = openChat(id)
        if (!chat) continue
        if (open.type !== 'read' || chat.items.length > 0) return chat
        // there is nothing to be read in what another window has just begun
        leave()
        return
      }
    },
    claim(id) {
      if ((open.type === 'own' || open.type === 'handing-over') && open.id === id) return
      if (open.type !== 'read') open = take(id)
      if (open.type === 'read') throw new Error('it is open in another window')
    },
    leave,
    request() {
      if (open.type !== 'read') return
      open.asked?.request.cancel()
      open.asked = { request: store.request(open.id), checks: 0 }
    },
    async handOver(written) {
      if (open.type !== 'own') return false
      const given: Open = { ...open, type: 'handing-over' }
      open = given
      await written()
      // another chat was opened meanwhile, or the window is being closed
      if (open !== given) {
        given.claim.release()
        return false
      }
      const isGiven = given.claim.handOver()
      open = isGiven ? toReading(given.id) : { ...given, type: 'own' }
      return isGiven
    },
    check() {
      if (open.type === 'own') return open.claim.isRequested() ? 'requested' : undefined
      if (open.type !== 'read') return
      if (isFree(open)) return 'free'
      if (open.asked) open.asked.checks++
      const changedAt = store.changedAt(open.id)
      if (changedAt === undefined || changedAt === open.changedAt) return
      open.changedAt = changedAt
      return 'changed'
    },
  }
}

type Open =
  | { type: 'none' }
  | { type: 'own'; id: string; claim: Claim }
  /** another window has asked for it, and the last word is being written */
  | { type: 'handing-over'; id: string; claim: Claim }
  | OpenToRead

interface OpenToRead {
  type: 'read'
  id: string
  isClaimed(): boolean
  /** when it had been saved that was shown last */
  changedAt: number | undefined
  asked?: { request: ClaimRequest; checks: number }
}

// with two checks a second, a window has five seconds to answer, and most need less than one
const PATIENCE = 10
