import type { Detector, Options } from './detector.js'
import type { AgentEvent, AgentEventType } from './event.js'
import type { Loop } from './ladder.js'
import { type AgentLog, startLog } from './log.js'
import { readRequest } from './request.js'
import { startTally, type Tally } from './tally.js'

/** All that is known of one agent in this prompt; the one that talks to the person is ''. */
export interface AgentState {
  agent: string
  log: AgentLog
  tally: Tally
  loops: Loop[]
  /** one a detector, in the guard's order */
  seats: Seat[]
  /** who wants to see which events: those that complete a round, and all others */
  completing: Listeners
  others: Listeners
}

type Listeners = Partial<Record<AgentEventType, Seat[]>>

/** A detector that watches an agent: its state and what it may look at, in one place, so that an event allocates nothing. */
export interface Seat {
  observe: Detector['observe']
  state: unknown
  detector: Detector
  options: Options
  log: AgentLog
  number: number
}

/** The parts of a state that a snapshot carries. */
export type AgentCore = Pick<AgentState, 'agent' | 'log' | 'tally' | 'loops'> & {
  states: unknown[]
}

/** The agents of a run. */
export interface Agents {
  /** The agent an event belongs to, made when it is new. */
  of(event: AgentEvent): AgentState
  named(agent?: string): AgentState | undefined
  /** A new request of the person: everything begins anew, unless it is the same request again. */
  prompt(event: Extract<AgentEvent, { type: 'prompt' }>): boolean
  all(): AgentState[]
  /** A sub-agent has achieved something: who gave it the task has, too. */
  delegated(): void
  clear(): void
  /** id of the current prompt */
  readonly promptId: string | undefined
}

// sub-agents beyond this many push out the one that was silent for longest
const MAX_AGENTS = 16

/** Makes the states of agents as their events come. */
export function createAgents(detectors: readonly Detector[], saved?: Saved): Agents {
  const states = new Map<string, AgentState>()
  let promptId = saved?.promptId
  let last: AgentState | undefined
  function complete({ agent, log, tally, loops, states }: AgentCore): AgentState {
    const seats = detectors.map(
      (detector, i): Seat => ({
        observe: detector.observe,
        state: states[i],
        detector,
        options: detector.options,
        log,
        number: 0,
      }),
    )
    const [completing, others] = [listeners(seats, true), listeners(seats, false)]
    return { agent, log, tally, loops, seats, completing, others }
  }
  for (const core of saved?.all ?? []) states.set(core.agent, complete(core))

  function make(agent: string): AgentState {
    const state = complete({
      agent,
      log: startLog(),
      tally: startTally(),
      loops: [],
      states: detectors.map(({ start, options }) => start(options)),
    })
    // what the person asked for holds for whoever is given the task
    const main = states.get('')
    if (main) state.log.patience = { ...main.log.patience }
    if (states.size >= MAX_AGENTS) forgetOldest()
    states.set(agent, state)
    return state
  }

  function forgetOldest(): void {
    for (const agent of states.keys()) {
      if (agent === '') continue
      states.delete(agent)
      return
    }
  }

  function clear(): void {
    states.clear()
    last = undefined
    promptId = undefined
  }

  return {
    of({ type, agent = '' }) {
      const name = type === 'handoff' ? '' : agent
      if (last?.agent === name) return last
      last = states.get(name) ?? make(name)
      // the map's order is the order of use
      states.delete(name)
      states.set(name, last)
      return last
    },
    named: (agent = '') => states.get(agent),
    prompt({ id, agent = '', model = '', text = '' }) {
      const isMain = agent === ''
      if (isMain && id !== undefined && id === promptId) return false
      if (isMain) {
        clear()
        promptId = id
      }
      states.delete(agent)
      last = undefined
      Object.assign(make(agent).log, { model, patience: readRequest(text) })
      return isMain
    },
    all: () => [...states.values()],
    delegated() {
      const main = states.get('')
      if (main) main.log.delegated++
    },
    clear,
    get promptId() {
      return promptId
    },
  }
}

function listeners(seats: readonly Seat[], completing: boolean): Listeners {
  const found: Listeners = {}
  for (const seat of seats) {
    const { on, rounds } = seat.detector
    if (rounds && !completing) continue
    for (const type of on) {
      found[type] ??= []
      found[type].push(seat)
    }
  }
  return found
}

interface Saved {
  promptId: string | undefined
  all: AgentCore[]
}
