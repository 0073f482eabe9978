import type { AgentCore, Agents } from './agents.js'
import type { Detector } from './detector.js'
import type { Finding } from './finding.js'
import type { Hash } from './hash.js'
import { bad, isRecord } from './options.js'
import { loadLog, type SavedLog, saveLog } from './save-log.js'

/** The whole state of a guard, as plain JSON. */
export interface Snapshot {
  /** version of this format */
  unloop: 1
  seed: Hash
  events: number
  stopped: boolean
  disabled: boolean
  /** tools that may come so many times */
  allowed: [tool: string, times: number][]
  findings: Finding[]
  agents: SavedAgents
}

export interface SavedAgents {
  promptId?: string
  all: SavedAgent[]
}

interface SavedAgent extends Omit<AgentCore, 'states' | 'log'> {
  log: SavedLog
  /** the detectors' states by name */
  states: Record<string, unknown>
}

/** The agents as plain JSON that shares nothing with the guard. */
export function saveAgents(agents: Agents, detectors: readonly Detector[]): SavedAgents {
  const all = agents.all().map(({ agent, log, tally, loops, states }) => ({
    agent,
    log: saveLog(log),
    tally: copy(tally),
    loops: copy(loops),
    states: Object.fromEntries(
      detectors.map((detector, index) => [
        detector.name,
        copy(detector.save ? detector.save(states[index]) : states[index]),
      ]),
    ),
  }))
  return agents.promptId === undefined ? { all } : { promptId: agents.promptId, all }
}

/** Reads a snapshot; throws a `RangeError` that says what is wrong with it. */
export function loadSnapshot(snapshot: unknown, detectors: readonly Detector[]) {
  if (!isRecord(snapshot)) {
    throw bad('the snapshot', 'must be the object that guard.snapshot() gave', snapshot)
  }
  if (snapshot.unloop !== 1) {
    throw bad('the snapshot', 'must be of version 1 (its field unloop)', snapshot.unloop)
  }
  try {
    const { seed, events, stopped, disabled, allowed, findings, agents } = copy(
      snapshot,
    ) as unknown as Snapshot
    if (
      !Number.isSafeInteger(events) ||
      !Array.isArray(findings) ||
      !Array.isArray(allowed) ||
      !isRecord(seed)
    ) {
      throw new TypeError('fields are missing')
    }
    const all = agents.all.map((saved) => loadAgent(saved, detectors))
    const promptId = agents.promptId
    return { seed, events, stopped, disabled, allowed, findings, agents: { promptId, all } }
  } catch (error) {
    throw new RangeError(
      `the snapshot cannot be read; take a new one with guard.snapshot(), got ${String(error)}`,
    )
  }
}

function loadAgent(saved: SavedAgent, detectors: readonly Detector[]): AgentCore {
  const { agent, tally, loops } = saved
  const log = loadLog(saved.log)
  if (!Array.isArray(log.rounds) || !Array.isArray(tally.marks) || !Array.isArray(loops)) {
    throw new TypeError('fields are missing')
  }
  const states = detectors.map((detector) => {
    const state = saved.states[detector.name]
    if (state === undefined) return detector.start(detector.options)
    return detector.load ? detector.load(state, detector.options) : state
  })
  return { agent, log, tally, loops, states }
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value))
