import { addTo } from '../reading/words.js'
import type { Round } from './round.js'

/** What one sub-agent did from its first call on, in comparable form. */
export interface Errand {
  agent: string
  /** numbers of its first call and of its last answer */
  since: number
  end: number
  /** equal for the same calls with the same answers */
  print: number
  rounds: number
}

// more than it takes to call it a loop
const MAX_ERRANDS = 24

/**
 * Takes a round of any agent. Errands run one after another: agents that work side by side are a team, and a change by
 * the main agent is a reason to send a helper again.
 */
export function addErrand(errands: Errand[], agent: string, round: Round): void {
  if (agent === '') {
    if (round.changed && !SENDING.test(round.name)) errands.length = 0
    return
  }
  let last = errands.at(-1)
  if (last?.agent !== agent) {
    const isTeam = errands.some((other) => other.agent === agent || other.end > round.number)
    if (isTeam) errands.length = 0
    last = { agent, since: round.number, end: 0, print: 0, rounds: 0 }
    errands.push(last)
    if (errands.length > MAX_ERRANDS) errands.shift()
  }
  last.end = round.end
  last.print = addTo(addTo(last.print, round.key | 0), round.errorName || round.print)
  last.rounds++
}

/** Names of tools that delegate work. */
const SENDING = /agent|task|delegate|hand_?off|transfer|spawn|message|helper/i

/** The last errands that were all the same, oldest first. */
export function sameErrands(errands: readonly Errand[]): readonly Errand[] {
  const last = errands.at(-1)
  const other = errands.findLastIndex(
    ({ print, rounds }) => print !== last?.print || rounds !== last.rounds,
  )
  return errands.slice(other + 1)
}
