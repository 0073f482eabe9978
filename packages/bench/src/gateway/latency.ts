import type { Candidate } from './candidates.js'
import { type Client, createClient } from './client.js'
import { type Conversation, createConversation } from './history.js'
import { cpuMs } from './processes.js'
import { addTo, type Rounds } from './rounds.js'

/** One kind of request whose latency is measured. */
export interface Course {
  name: string
  /** messages in the first request of a conversation, and where a new one begins */
  from: number
  to: number
  /** the agent names its session */
  named: boolean
  /** one request over and over, as from a client that tries again */
  same?: boolean
  /** requests in a round */
  count: number
}

export interface Latency {
  course: Course
  rounds: Rounds
  /** milliseconds of CPU per request, by candidate */
  cpu: Map<string, number>
  /** requests that a guard did not let pass, or did not see */
  interventions: number
}

// the others are shown for comparison; no goal depends on them
const OTHERS_SHARE = 0.2

/**
 * The latency of whole answers, one request at a time. Every request goes to all candidates of a group before the next one does,
 * each time in another order. Candidates that are compared are a group: what others do after an answer would slow them down.
 */
export async function measureLatency(
  compared: readonly Candidate[],
  others: readonly Candidate[],
  course: Course,
  rounds: number,
): Promise<Latency> {
  const latency: Latency = { course, rounds: new Map(), cpu: new Map(), interventions: 0 }
  const groups = [
    { lanes: compared.map(toLane), count: course.count },
    { lanes: others.map(toLane), count: Math.ceil(course.count * OTHERS_SHARE) },
  ]
  const before = new Map<string, number>()
  // the round before the first one is for warming up
  for (let round = -1; round < rounds; round++) {
    if (round === 0) for (const { name, pid } of compared) before.set(name, cpuMs(pid))
    for (const { lanes, count } of groups) await measureRound(latency, lanes, round, count)
  }
  for (const { lanes } of groups) for (const { client } of lanes) client.close()
  for (const { name, pid } of compared) {
    latency.cpu.set(name, (cpuMs(pid) - (before.get(name) ?? 0)) / (rounds * course.count))
  }
  return latency
}

interface Lane {
  candidate: Candidate
  client: Client
}

const toLane = (candidate: Candidate): Lane => ({ candidate, client: createClient(candidate) })

let conversations = 0

async function measureRound(
  latency: Latency,
  lanes: Lane[],
  round: number,
  count: number,
): Promise<void> {
  const { from, to, named, same } = latency.course
  let conversation: Conversation | undefined
  let body: Buffer | undefined
  for (let n = 0; n < count && lanes.length > 0; n++) {
    if (conversation === undefined || conversation.messages >= to) {
      conversation = createConversation(++conversations, from)
      body = undefined
    }
    if (body === undefined || !same) body = conversation.next()
    lanes.push(...lanes.splice(0, 1))
    for (const { candidate, client } of lanes) {
      const { ms, verdict } = await client.send(body, named ? conversation.session : undefined)
      if (candidate.isGuarded && verdict !== 'go') latency.interventions++
      if (round >= 0) addTo(latency.rounds, candidate.name, round, ms)
    }
  }
}
