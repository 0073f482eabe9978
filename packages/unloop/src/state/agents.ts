import type { Detector } from '../detector.js'
import type { AgentEvent, AgentEventType } from '../event.js'
import type { Loop } from '../ladder/ladder.js'
import { startTally, type Tally } from '../ladder/tally.js'
import type { DetectorOptions } from '../options.js'
import { isObservation } from '../reading/answer/observations.js'
import { callKey } from '../reading/call-key.js'
import { readRequest } from '../reading/request.js'
import type { Errand } from '../rounds/errands.js'
import { type AgentLog, startLog } from '../rounds/log.js'

/** Everything known about one agent in this prompt; the one that talks to the person is ''. */
export interface AgentState {
  agent: string
  log: AgentLog
  tally: Tally
  loops: Loop[]
  /** one per detector, in the guard's order */
  seats: Seat[]
  /** the seats for each type of event: for events that complete a round, and for all others */
  completing: Listeners
  others: Listeners
}

type Listeners = Partial<Record<AgentEventType, Seat[]>>

/** A detector that watches an agent: its state and its context in one place, so that an event allocates nothing. */
export interface Seat {
  observe: Detector['observe']
  state: unknown
  detector: Detector
  options: DetectorOptions
  log: AgentLog
  number: number
}

/** The parts of a state that a snapshot carries. */
export type AgentCore = Pick<AgentState, 'agent' | 'log' | 'tally' | 'loops'> & {
  states: unknown[]
}

/** The agents of a run. */
export interface Agents {
  /** The agent an event belongs to, created if it is new. */
  of(event: AgentEvent): AgentState
  named(agent?: string): AgentState | undefined
  /** The agent that talks to the person. */
  main(): AgentState
  /** Words of the person. If they are a new request, everything starts over. */
  prompt(event: Extract<AgentEvent, { type: 'prompt' }>, wasStopped: boolean): PromptKind
  all(): AgentState[]
  /** A sub-agent has achieved something, so the agent that gave it the task has, too. */
  delegated(): void
  clear(): void
  head(): AgentsHead
}

/** What words in the person's place are. */
export type PromptKind =
  /** a new request, to the agent that talks to the person or to another */
  | 'request'
  | 'task'
  /** what a program says about the last answer, as to agents that write their calls as text */
  | 'observation'
  /** nothing new: the same prompt once more, a nudge, or what a program says again and again */
  | 'nothing'

/** What is known of all agents together. */
export interface AgentsHead {
  /** id of the current prompt */
  promptId?: string | undefined
  asked: AskedWords
  /** what sub-agents did one after another */
  errands: Errand[]
}

/** The last words that asked for something, and how often in a row. */
export interface AskedWords {
  key: string
  times: number
}

// people say the same thing again, but rarely more often
const MAX_ASKED = 2

/** Words that ask for nothing new. */
const NUDGE =
  /^\s{0,9}(?:please\s)?(?:continue|go on|go ahead|proceed|keep going|carry on|resume|next|weiter|continúa|continue[zr]?|继续|続けて|продолжай)[\s.!…]{0,9}$/i

// beyond this many, a new sub-agent replaces the one that was silent the longest
const MAX_AGENTS = 16

/** Creates the states of agents as their events come in. */
export function createAgents(detectors: readonly Detector[], saved?: Saved): Agents {
  const states = new Map<string, AgentState>()
  let promptId = saved?.promptId
  let asked: AskedWords = saved?.asked ?? { key: '', times: 0 }
  const errands = saved?.errands ?? []
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
  for (const core of saved?.all ?? []) {
    core.log.errands = errands
    states.set(core.agent, complete(core))
  }

  function make(agent: string): AgentState {
    const state = complete({
      agent,
      log: { ...startLog(), errands },
      tally: startTally(),
      loops: [],
      states: detectors.map(({ start, options }) => start(options)),
    })
    // what the person asked for also applies to sub-agents
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
    asked = { key: '', times: 0 }
    errands.length = 0
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
    main: () => states.get('') ?? make(''),
    prompt({ id, agent = '', model = '', text = '' }, wasStopped) {
      const isMain = agent === ''
      if (isMain && id !== undefined && id === promptId) return 'nothing'
      const state = states.get(agent)
      if (state && isObservation(text)) {
        if (isMain) promptId = id
        return 'observation'
      }
      if (isMain) {
        const key = text === '' ? '' : callKey('words', text)
        // what was done may have to be done once more
        const hasWorked = state !== undefined && (state.log.hasResults || state.log.isOpen)
        const times = key !== '' && key === asked.key && !hasWorked ? asked.times + 1 : 1
        const isProgram = times > MAX_ASKED
        // a person who continues after a stop has decided to
        if (states.size > 0 && (isProgram || (NUDGE.test(text) && !wasStopped))) {
          promptId = id
          if (isProgram) asked.times = times
          return 'nothing'
        }
        clear()
        promptId = id
        asked = { key, times: wasStopped ? 1 : times }
      }
      states.delete(agent)
      last = undefined
      Object.assign(make(agent).log, { model, patience: readRequest(text) })
      return isMain ? 'request' : 'task'
    },
    all: () => [...states.values()],
    delegated() {
      const main = states.get('')
      if (main) main.log.delegated++
    },
    clear,
    head: () => ({ promptId, asked, errands: [...errands] }),
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

interface Saved extends AgentsHead {
  all: AgentCore[]
}
