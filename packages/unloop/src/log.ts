import { callKey } from './call-key.js'
import type { AgentEvent } from './event.js'
import type { Hash } from './hash.js'

/** One call and what came of it, folded once so that every detector reads the same record. */
export interface Step {
  /** number of the call's event */
  number: number
  /** number of the result's event; -1 while there is none */
  answeredAt: number
  /** the provider's id of the call; '' where it gave none */
  id: string
  key: string
  name: string
  /** calls that were made together share a round */
  round: number
  /** how many calls with this key came directly after one another, up to this one */
  run: number
}

/** What one agent did in this prompt, bounded. */
export interface AgentLog {
  steps: Step[]
  round: number
  /** a result came since the last call, so the next call begins a round */
  answered: boolean
  /** how many steps there were when the turn began: a retry goes back to it */
  turnSteps: number
  /** turns are announced; where they are not, a result ends one */
  sawTurns: boolean
  /** the model's name, where a prompt told it */
  model: string
}

// longer than any cycle we look for, several laps of it
const MAX_STEPS = 192

export const startLog = (): AgentLog => ({
  steps: [],
  round: 0,
  answered: true,
  turnSteps: 0,
  sawTurns: false,
  model: '',
})

/** Folds an event into the log. */
export function fold(log: AgentLog, event: AgentEvent, number: number, seed: Hash): void {
  switch (event.type) {
    case 'turn-start':
      log.turnSteps = log.steps.length
      log.sawTurns = true
      return
    case 'tool-call':
      return addCall(log, event, number, seed)
    case 'tool-result':
      return addResult(log, event, number)
    case 'retry':
      log.steps.length = Math.min(log.steps.length, log.turnSteps)
      return
  }
}

type Call = Extract<AgentEvent, { type: 'tool-call' }>
type Result = Extract<AgentEvent, { type: 'tool-result' }>

function addCall(log: AgentLog, event: Call, number: number, seed: Hash): void {
  if (log.answered) log.round++
  log.answered = false
  const key = callKey(event.name, event.args, seed)
  const last = log.steps.at(-1)
  log.steps.push({
    number,
    answeredAt: -1,
    id: event.id ?? '',
    key,
    name: event.name,
    round: log.round,
    run: last?.key === key ? last.run + 1 : 1,
  })
  if (log.steps.length > MAX_STEPS) {
    log.steps.shift()
    if (log.turnSteps > 0) log.turnSteps--
  }
}

function addResult(log: AgentLog, event: Result, number: number): void {
  log.answered = true
  const step = findCall(log.steps, event)
  if (step) step.answeredAt = number
  if (!log.sawTurns) log.turnSteps = log.steps.length
}

/** The call a result belongs to: by its id, else by its name, else the oldest without an answer. */
function findCall(steps: Step[], { id, name }: Result): Step | undefined {
  let oldest: Step | undefined
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i] as Step
    if (step.answeredAt >= 0) {
      if (id === undefined) break
      continue
    }
    if (id !== undefined && step.id === id) return step
    if (name === undefined || step.name === name) oldest = step
  }
  return oldest
}
