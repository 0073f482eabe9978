import type { Spent } from '../budget.js'
import type { Detector } from '../detector.js'
import type { Finding } from '../finding.js'
import { toInert } from '../intake/inert.js'
import { bad, isRecord } from '../options.js'
import { callKey } from '../reading/call-key.js'
import type { Seed } from '../reading/hash.js'
import type { Errand } from '../rounds/errands.js'
import { type AgentLog, saidOf, sampleOf } from '../rounds/log.js'
import { EMPTY_ROUND, type Round } from '../rounds/round.js'
import type { AgentCore, Agents } from './agents.js'
import { loadHost, type SavedHost } from './host.js'
import { fromPlain, toPlain } from './plain.js'

/** The whole state of a guard, as plain JSON. */
export interface Snapshot {
  /** version of this format */
  unloop: 4
  seed: Seed
  events: number
  skipped: number
  stopped: boolean
  disabled: boolean
  /** how many times tools may repeat */
  allowed: [tool: string, times: number][]
  findings: Finding[]
  /** how much of the budget is used */
  spent: Spent
  /** calls, verdicts and advice of the run */
  host: SavedHost
  agents: SavedAgents
  /** over everything else, to detect changes and losses */
  checksum: string
}

export interface SavedAgents {
  promptId?: string | undefined
  errands: Errand[]
  all: SavedAgent[]
}

interface SavedAgent extends Omit<AgentCore, 'states' | 'log'> {
  log: Omit<AgentLog, 'rounds' | 'undone' | 'looks'> & {
    rounds: unknown[][]
    undone: unknown[][]
    looks: [key: number, count: number][]
  }
  /** the detectors' states by name */
  states: Record<string, unknown>
}

/** The agents, in the form a snapshot needs. */
export const saveAgents = (agents: Agents): SavedAgents => ({
  promptId: agents.promptId,
  errands: [...agents.errands],
  all: agents.all().map(({ agent, log, tally, loops, seats }) => {
    sampleOf(log)
    return {
      agent,
      log: {
        ...log,
        rounds: log.rounds.map(saveRound),
        undone: log.undone.map(saveRound),
        looks: [...log.looks],
        said: saidOf(log),
        completed: undefined,
        errands: [],
      },
      tally,
      loops,
      states: Object.fromEntries(
        seats.map(({ detector: { name, save }, state }) => [name, save ? save(state) : state]),
      ),
    }
  }),
})

/** The state as plain JSON, with its checksum. */
export function toSnapshot(state: Omit<Snapshot, 'checksum'>): Snapshot {
  const plain = toPlain(state) as typeof state
  return { ...plain, checksum: callKey('snapshot', plain) }
}

/** Reads a snapshot; throws a `RangeError` that says what is wrong. */
export function loadSnapshot(snapshot: unknown, detectors: readonly Detector[]) {
  const plain = toInert(snapshot)
  if (!isRecord(plain)) {
    throw bad('the snapshot', 'must be the object that guard.snapshot() returned', plain)
  }
  if (plain.unloop !== 4) {
    throw bad('the snapshot', 'must have version 4 in its field unloop', plain.unloop)
  }
  const { checksum, ...state } = plain
  if (checksum !== callKey('snapshot', state)) {
    throw bad('the snapshot', 'must be what guard.snapshot() returned, unchanged', checksum)
  }
  try {
    const saved = fromPlain(state) as Snapshot
    const all = saved.agents.all.map((agent) => loadAgent(agent, detectors))
    const host = loadHost(saved.host, saved.findings)
    return { ...saved, host, agents: { ...saved.agents, all } }
  } catch (error) {
    throw bad('the snapshot', 'cannot be read; take a new one with guard.snapshot()', error)
  }
}

const loadAgent = ({ log, states, ...rest }: SavedAgent, detectors: readonly Detector[]) => ({
  ...rest,
  log: {
    ...log,
    rounds: log.rounds.map(loadRound),
    undone: log.undone.map(loadRound),
    looks: new Map(log.looks),
  },
  states: detectors.map(({ name, start, load, options }) => {
    const state = states[name]
    if (state === undefined) return start(options)
    return load ? load(state, options) : state
  }),
})

/** A round as a list of values, with all flags as bits of the first, because there are many rounds. */
function saveRound(round: Round): unknown[] {
  let flags = 0
  let bit = 1
  const values = Object.keys(EMPTY_ROUND).flatMap((field) => {
    const value = round[field as keyof Round]
    if (typeof value !== 'boolean') return [value]
    if (value) flags |= bit
    bit <<= 1
    return []
  })
  return [flags, ...values]
}

function loadRound([flags, ...values]: unknown[]): Round {
  let bit = 1
  const entries = Object.entries(EMPTY_ROUND).map(([field, empty]) => {
    if (typeof empty !== 'boolean') return [field, values.shift()]
    const value = (Number(flags) & bit) !== 0
    bit <<= 1
    return [field, value]
  })
  return Object.fromEntries(entries)
}
