import { readdirSync, readFileSync } from 'node:fs'
import type { Body, ProtocolName } from './protocol.js'
import type { Answer } from './reply.js'

/** What may become of a request on its way through a guard. */
export type RecordedVerdict =
  | 'go' // it reaches the provider as it was sent
  | 'told' // it reaches the provider with words for the model that the client did not send
  | 'ended' // it is answered in the provider's place
  | 'held' // either of the last two: the loop does not go on in silence, and how depends on the door

/** What a case is about. */
export type RecordedKind = (typeof RECORDED_KINDS)[number]

export const RECORDED_KINDS = [
  'compaction', // the client replaces its history by something shorter
  'cleared', // it puts placeholders where old answers of tools were
  'summary', // the request that asks for the summary
  'title', // a request beside the conversation: a title, who speaks next, what to remember
  'nudge', // the client itself tells the model to go on
  'refrain', // the client says the same beside every message
  'fork', // two requests go on from the same history
  'parallel', // several calls in one answer
  'picture', // a tool answers with a picture
  'resume', // a later process goes on with a session
  'same-call', // a loop of one call
  'two-in-turn', // a loop of two calls
  'new-names', // a loop of ever new arguments with the same answer
  'poll', // the same call, but the answers change
  'edit-test', // changes and tests in turn
  'first-contact', // the guard has seen nothing of the conversation before
] as const

/** One request as it stood on the wire; the constant prose of the client is replaced by words of ours. */
export interface RecordedRequest {
  protocol: ProtocolName
  method: 'POST'
  /** with the query */
  path: string
  /** those that say who sends it and which session it belongs to; never a key */
  headers: Record<string, string>
  body: Body
  /** what the model said to it */
  answer: Answer
  /** what has to become of it; not given where more than one thing would be right */
  verdict?: RecordedVerdict
}

/** Requests of a real client, in order, to a guard that has seen nothing before. */
export interface RecordedCase {
  /** the name of its file */
  name: string
  /** the program that sent it, with its version */
  client: string
  /** `edited` is a recorded body with a documented change of that client, which `edit` names */
  origin: 'recorded' | 'edited'
  edit?: string
  kinds: RecordedKind[]
  /** why the verdicts are what they are */
  why: string
  requests: RecordedRequest[]
}

const folder = new URL('../recordings/', import.meta.url)

/** All recorded cases, by name. `node scripts/record-requests.mjs` makes them. */
export function recordedRequests(): RecordedCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    }))
}
