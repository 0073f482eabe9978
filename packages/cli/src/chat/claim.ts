import { claim as claimLock } from '@unloop/agent/claim'
import { UsageError } from '../exit-code.js'

/** Keeps other processes from writing to a conversation; gives the way to end that. */
export function claim(path: string, name: string): () => void {
  const claimed = claimLock(path.replace(/\.jsonl$/, '.lock'))
  if (claimed.type === 'held') return claimed.claim.release
  throw new UsageError(
    `the conversation ${name} is open in another unloop chat, process ${claimed.pid}; continue there, or close it first`,
  )
}
