import type { Spent } from '../budget.js'
import type { Detector } from '../detector.js'
import type { Finding } from '../finding.js'
import { toInert } from '../intake/inert.js'
import { bad, isRecord } from '../options.js'
import { callKey } from '../reading/call-key.js'
import type { Seed } from '../reading/hash.js'
import { type AgentLog, saidOf, sampleOf } from '../rounds/log.js'
import { EMPTY_ROUND, type Round } from '../rounds/round.js'
import type { AgentCore, Agents, AgentsHead } from './agents.js'
import type { HostState, SavedHost } from './host.js'
import { fromPlain, toPlain } from './plain.js'

/** The whole state of a guard, as plain JSON. */
export interface Snapshot {
  /** version of this format */
  unloop: 5
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

export interface SavedAgents extends AgentsHead {
  all: SavedAgent[]
}

interface SavedAgent extends Omit<AgentCore, 'states' | 'log'> {
  log: Omit<AgentLog, 'rounds' | 'undone' | 'looks'> & {
    rounds: SavedRounds
    undone: SavedRounds
    looks: { keys: Float64Array; counts: Uint16Array }
  }
  /** the detectors' states by name */
  states: Record<string, unknown>
}

/** The agents, in the form a snapshot needs. */
export const saveAgents = (agents: Agents): SavedAgents => ({
  ...agents.head(),
  all: agents.all().map(({ agent, log, tally, loops, seats }) => {
    sampleOf(log)
    return {
      agent,
      log: {
        ...log,
        rounds: saveRounds(log.rounds),
        undone: saveRounds(log.undone),
        looks: {
          keys: Float64Array.from(log.looks.keys()),
          counts: Uint16Array.from(log.looks.values()),
        },
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
  if (plain.unloop !== 5) {
    throw bad('the snapshot', 'must have version 5 in its field unloop', plain.unloop)
  }
  const { checksum, ...state } = plain
  if (checksum !== callKey('snapshot', state)) {
    throw bad('the snapshot', 'must be what guard.snapshot() returned, unchanged', checksum)
  }
  try {
    const saved = fromPlain(state) as Snapshot
    const all = saved.agents.all.map((agent) => loadAgent(agent, detectors))
    // the run reads the rest of it
    const host = saved.host as unknown as HostState
    return { ...saved, host, agents: { ...saved.agents, all } }
  } catch (error) {
    throw bad('the snapshot', 'cannot be read; take a new one with guard.snapshot()', error)
  }
}

const loadAgent = ({ log, states, ...rest }: SavedAgent, detectors: readonly Detector[]) => ({
  ...rest,
  log: {
    ...log,
    rounds: loadRounds(log.rounds),
    undone: loadRounds(log.undone),
    looks: new Map(Array.from(log.looks.keys, (key, at) => [key, log.looks.counts[at] ?? 0])),
  },
  states: detectors.map(({ name, start, load, options }) => {
    const state = states[name]
    if (state === undefined) return start(options)
    return load ? load(state, options) : state
  }),
})

/** Rounds by field, with hashes and flags as typed arrays, because there are many of them. */
type SavedRounds = Record<string, ArrayLike<unknown>>

const FIELDS = Object.keys(EMPTY_ROUND) as (keyof Round)[]
const FLAGS = FIELDS.filter((field) => typeof EMPTY_ROUND[field] === 'boolean')
const HASHES: string[] = ['print', 'loose', 'unspoken', 'news', 'first', 'amounts']
/** Sets of words are short as text. */
const WORDS: string[] = ['request', 'reply']

function saveRounds(rounds: readonly Round[]): SavedRounds {
  const bitsOf = (round: Round) =>
    FLAGS.reduce((bits, flag, at) => bits | (Number(round[flag]) << at), 0)
  const columns: SavedRounds = { flags: Int32Array.from(rounds, bitsOf) }
  for (const field of FIELDS) {
    if (FLAGS.includes(field)) continue
    const values = rounds.map((round) => toSaved(round, field))
    columns[field] = HASHES.includes(field) ? Int32Array.from(values as number[]) : values
  }
  return columns
}

/** Zero for what is empty or is the same as another value. */
function toSaved(round: Round, field: keyof Round): unknown {
  const value = round[field]
  if (field === 'exact') return round.exact - round.key
  if (!Array.isArray(value)) return value
  return value.length === 0 ? 0 : WORDS.includes(field) ? Int32Array.from(value) : value
}

const loadRounds = (columns: SavedRounds): Round[] =>
  Array.from(columns.flags as Int32Array, (flags, at) => {
    // in the order in which rounds are made, so that all of them are alike to the machine
    const entries = FIELDS.map((field): [string, unknown] => {
      const bit = FLAGS.indexOf(field)
      if (bit >= 0) return [field, ((flags >> bit) & 1) === 1]
      const value = columns[field]?.[at]
      if (!Array.isArray(EMPTY_ROUND[field])) return [field, value]
      return [field, value === 0 ? [] : Array.from(value as number[])]
    })
    const round: Round = { ...EMPTY_ROUND, ...Object.fromEntries(entries) }
    round.exact += round.key
    return round
  })
