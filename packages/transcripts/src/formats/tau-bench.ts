import type { RecordFormat, Sink } from '../format.js'
import { idOf, isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { emitSpent, type Spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome, Run } from '../transcript.js'
import { emitChat, usageOf } from './openai-chat.js'

/** Results of tau-bench and tau2: conversations of an agent with a person that is played by a model, and what they scored. */
export const tauBench: RecordFormat = {
  name: 'tau-bench',
  title: 'tau-bench, tau2',
  stage: 'experimental',
  container: 'records',
  layouts: ['document', 'lines'],
  detect: ({ records }) =>
    records.some(
      (record) =>
        isOld(record) ||
        isSimulation(record) ||
        listOf(record.simulations).some((one) => isObject(one) && isSimulation(one)),
    ),

  start(sink) {
    let about: Json = {}
    return {
      read(record, key) {
        if (key === 'info') about = record
        if (isSimulation(record)) return readSimulation(sink, record, about)
        if (isOld(record)) return readOld(sink, record)
        if (key !== '') return
        // a whole file on one line
        for (const one of listOf(record.simulations).filter(isObject))
          if (isSimulation(one)) readSimulation(sink, one, objectOf(record.info))
        return undefined
      },
    }
  },
}

const isSimulation = ({ task_id, messages, termination_reason }: Json) =>
  idOf(task_id) !== undefined && Array.isArray(messages) && termination_reason !== undefined

const isOld = ({ task_id, reward, traj }: Json) =>
  idOf(task_id) !== undefined && numberOf(reward) !== undefined && Array.isArray(traj)

function readOld(sink: Sink, { task_id, trial, traj }: Json): undefined {
  const run = sink.run({ program: 'tau-bench', session: `${idOf(task_id)}/${idOf(trial) ?? 0}` })
  for (const message of listOf(traj).filter(isObject))
    emitChat(message, stamp(sink, run, undefined))
}

function readSimulation(sink: Sink, simulation: Json, about: Json): undefined {
  const project = textOf(objectOf(about.environment_info).domain_name)
  const model = textOf(objectOf(about.agent_info).llm)
  const startedAt = timeOf(simulation.start_time)
  const run = sink.run({
    program: 'tau2',
    session: textOf(simulation.id) ?? `${idOf(simulation.task_id)}/${idOf(simulation.trial) ?? 0}`,
    ...(project && { project }),
    ...(model && { model }),
    ...(startedAt !== undefined && { startedAt }),
  })
  const person = textOf(objectOf(about.user_info).llm)
  const told = { agent: 0, user: 0 }
  for (const message of listOf(simulation.messages).filter(isObject)) {
    const all = Array.isArray(message.tool_messages) ? message.tool_messages : [message]
    for (const one of all) if (isObject(one)) readMessage(sink, run, one, person, told)
  }
  // a few runners record only the sums
  const emit = stamp(sink, run, timeOf(simulation.end_time))
  emitRest(emit, simulation.agent_cost, told.agent, model)
  emitRest(stamp(sink, run, undefined, USER), simulation.user_cost, told.user, person)
  const reason = textOf(simulation.termination_reason)
  if (reason) setOutcome(run, kindOf(reason), reason)
}

/** The tools that the person has are called by that name. */
const USER = 'user'

function readMessage(
  sink: Sink,
  run: Run,
  message: Json,
  person: string | undefined,
  told: { agent: number; user: number },
): void {
  const isUsers = message.role === 'user' || message.requestor === USER
  const at = timeOf(message.timestamp)
  const emit = stamp(sink, run, at)
  const emitUsers = stamp(sink, run, at, USER)
  const cost = numberOf(message.cost) ?? 0
  if (message.role === 'tool') return emitResult(message, isUsers ? emitUsers : emit)
  told[isUsers ? 'user' : 'agent'] += cost
  const { usage, ...said } = message
  const spent = { ...usageOf(usage), ...(cost > 0 && { cost }) }
  if (message.role === 'assistant') {
    emitChat(said, emit)
    return emitSpent(emit, spent, undefined, run.model)
  }
  if (message.role !== 'user') return
  if (textOf(message.content)) emit({ type: 'prompt', text: message.content as string })
  for (const call of listOf(message.tool_calls).filter(isObject)) {
    const id = textOf(call.id)
    const name = textOf(call.name)
    if (name) emitUsers({ type: 'tool-call', name, args: call.arguments, ...(id && { id }) })
  }
  emitSpent(emitUsers, spent, undefined, person)
}

function emitResult(message: Json, emit: Emit): void {
  const id = textOf(message.id) ?? textOf(message.tool_call_id)
  const isError = message.error === true
  emit({ type: 'tool-result', output: message.content, isError, ...(id && { id }) })
}

function emitRest(emit: Emit, total: unknown, told: number, model: string | undefined): void {
  const rest = (numberOf(total) ?? 0) - told
  if (rest > 1e-9) emitSpent(emit, { ...NOTHING, cost: rest }, undefined, model)
}

const NOTHING: Spent = { input: 0, cached: 0, output: 0 }

function kindOf(reason: string): Outcome['kind'] {
  if (reason === 'user_stop' || reason === 'agent_stop') return 'finished'
  return reason === 'max_steps' || reason === 'timeout' ? 'limit' : 'failed'
}
