import type { Run } from '@unloop/transcripts'
import type { Entry } from './entry.js'

/** Names entries, so that a copy in another transcript has the same name. */
export interface EntryKeys {
  ofCall(call: Entry, id: string | undefined, run: Run): number
  /** An answer without a call is named by the call before it. */
  ofAnswer(answer: Entry): number
  /** So is a call without an id, if there is one before it, and what its answer took. */
  ofNameless(answer: Entry): number
}

/** For the entries of one agent, in their order. */
export function createEntryKeys(): EntryKeys {
  let last = 0
  let since = 0
  return {
    ofCall(call, id, { session }) {
      if (id === undefined) return 0
      since = 0
      last = keyOf(call, id, session)
      return last
    },
    ofNameless: (answer) => (last === 0 ? 0 : ofAnswer(answer)),
    ofAnswer,
  }

  function ofAnswer({ at, input, output }: Entry): number {
    since++
    const amounts = `${input} ${output}`
    if (last !== 0) return hash(`${last} ${since} ${amounts}`)
    // a fork has new times, a continued session has the old ones
    return at === undefined || input + output === 0 ? 0 : hash(`${at} ${amounts}`)
  }
}

/** Ids of providers are theirs alone; others count from 1 in each session. */
function keyOf({ tool, at }: Entry, id: string, session: string | undefined): number {
  if (isTelling(id, tool)) return hash(`${id} ${tool}`)
  return session === undefined ? 0 : hash(`${session} ${id} ${tool} ${at}`)
}

/** Whether an id is not made of the tool's name and a number, and has enough letters to be like no other. */
function isTelling(id: string, tool = ''): boolean {
  const rest = tool === '' ? id : id.replace(tool, '')
  if (rest.length < 16) return false
  let letters = 0
  for (let i = 0; i < rest.length; i++) letters |= 1 << (rest.charCodeAt(i) & 31)
  let count = 0
  for (let left = letters; left !== 0; left &= left - 1) count++
  return count >= 10
}

/** 53 bits of a text, by two multiplicative hashes; never 0. */
function hash(text: string): number {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return 4294967296 * (2097151 & high) + (low >>> 0) || 1
}
