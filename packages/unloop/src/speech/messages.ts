import type { AgentLog } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import { likeness, type Sketch, sketchOf, startVocabulary, type Vocabulary } from './sketch.js'
import type { Speech } from './speech.js'

/** A message or a thought of the agent, in comparable form. */
export interface Said {
  /** number of its first event */
  number: number
  hash: number
  sketch: Sketch
  words: number
  /** a hash of its digits */
  figures: number
  /** it has words, or numbers, that no message before it had */
  tells: boolean
  /** a hash of the last round before it (call and answer), 0 for a change; and the number of rounds so far */
  outcome: number
  rounds: number
}

/** The last messages, and the number of the first event of the latest. */
export interface Messages {
  last: Said[]
  since: number
  /** how many came since the last call, and the number of the first event of them */
  talk: number
  talkSince: number
  heard: Vocabulary | undefined
}

export const startMessages = (): Messages => ({
  last: [],
  since: -1,
  talk: 0,
  talkSince: -1,
  heard: undefined,
})

const REMEMBERED = 12

/**
 * Remembers a finished message and returns it, unless there is none, it was already remembered or said in this round,
 * or it will be sent again; then it is forgotten.
 */
export function endMessage(
  messages: Messages,
  { text, since }: Speech,
  log: AgentLog,
  isTakenBack: boolean,
): Said | undefined {
  if (since === messages.since) {
    if (isTakenBack && messages.last.at(-1)?.number === since) messages.last.pop()
    return
  }
  messages.since = since
  if (since < 0 || isTakenBack) return
  const own = text.includes('```') ? text.replace(QUOTED, ' ') : text
  messages.heard ??= startVocabulary()
  const { sketch, hash, words, figures, novel } = sketchOf(own, messages.heard)
  if (words < (own === text ? 2 : CAPTION)) return
  const rounds = log.dropped + log.rounds.length
  const before = messages.last.at(-1)
  // some formats record one thought for each call of a round
  if (before?.hash === hash && before.rounds === rounds && log.isOpen) return
  const outcome = outcomeOf(log.rounds.at(-1))
  const tells = novel > FEW_NEW * words || messages.last.every((other) => other.figures !== figures)
  const said = { number: since, hash, sketch, words, figures, tells, outcome, rounds }
  if (before?.rounds !== rounds) {
    messages.talk = 0
    messages.talkSince = since
  }
  messages.talk++
  messages.last.push(said)
  if (messages.last.length > REMEMBERED) messages.last.shift()
  return said
}

/** Quotations do not count: a file, the answer of a tool. */
const QUOTED = /```[^`]*(?:```|$)|`[^`]*`/g
// fewer words next to a quotation are a caption
const CAPTION = 8

// the share of new words in another way to say the same thing at length
const FEW_NEW = 0.05

const outcomeOf = (round: Round | undefined) =>
  round === undefined || round.effect === 'changes' ? 0 : round.print ^ round.key

/** The messages that say the same or nearly the same, including this one, oldest first. */
export const alike = (messages: readonly Said[], said: Said, least: number): Said[] =>
  messages.filter(
    ({ sketch, hash }) => hash === said.hash || likeness(sketch, said.sketch) >= least,
  )

/** The rounds between the first and the last of these messages. */
export function roundsBetween({ rounds, dropped }: AgentLog, row: readonly Said[]): Round[] {
  return rounds.slice(Math.max(0, (row[0]?.rounds ?? 0) - dropped))
}

/** Whether a round looked at something for the first time, and saw it or saw that it is not there. */
export const isFirstLook = (round: Round): boolean =>
  round.looks === 1 && round.answered && !round.echoed && !round.error

/** Whether all of them are long and followed the same answer: whatever was done in between had no effect. */
export const isSameOutcome = (row: readonly Said[]): boolean =>
  row.every((said) => isAtLength(said) && said.outcome !== 0 && said.outcome === row[0]?.outcome)

export const isAtLength = ({ words }: Said): boolean => words >= AT_LENGTH

// a few words may be the same by chance, a paragraph is not
const AT_LENGTH = 20

/** Whether no call was made between them. */
export const isWithoutCalls = (row: readonly Said[]): boolean =>
  row.every(({ rounds }) => rounds === row[0]?.rounds)
