import type { Guard } from '../../guard.js'
import { runOf } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { checkGiven, guardOr } from '../shared/given.js'
import { createTurns, type Turns } from './model.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same runner, guarded: in its runs tools can be refused, the model is advised, a chant is cut, and the run ends with the
 * output "Stopped: …". `outcomeOf(guard)` tells how it ended.
 *
 * @example
 * const guard = createGuard()
 * const runner = guardRunner(guard, new Runner())
 */
export function guardRunner<Runner extends { config: object; run: Any }>(
  guard: Guard,
  runner: Runner,
): Runner {
  checkGiven('guardRunner', 'a Runner', runner, typeof runner?.run === 'function')
  return guardOr(guard, 'openai-agents', runner, () => toGuarded(guard, runner))
}

/** The agents of the program, by those that are run in their place. */
const originals = new WeakMap<object, Any>()

function toGuarded(guard: Guard, runner: Any): Any {
  const link = runOf(guard, 'openai-agents')
  const { attempt } = link
  const turns = createTurns(guard)
  const { modelProvider, model } = runner.config
  let agents = new WeakMap<object, Any>()
  let isOurs = false

  function guardAgent(agent: Any): Any {
    const original = originals.get(agent) ?? agent
    const known = agents.get(original)
    if (known) return known
    const guarded = derive(original, {
      model: { get: () => modelOf(original.model), enumerable: true },
      handoffs: { get: () => original.handoffs?.map(guardHandoff), enumerable: true },
      getAllTools: {
        value: async (context: object, ...rest: unknown[]) => {
          turns.enter(context)
          const tools: Any[] = await original.getAllTools(context, ...rest)
          return tools.map((tool) => guardTool(turns, tool))
        },
      },
      getEnabledHandoffs: {
        value: async (context: object) => {
          const handoffs: Any[] = await original.getEnabledHandoffs.call(guarded, context)
          return handoffs.map((handoff) => toTold(original.name, handoff))
        },
      },
    })
    originals.set(guarded, original)
    agents.set(original, guarded)
    return guarded
  }

  const guardHandoff = (entry: Any) =>
    entry.agent ? derive(entry, { agent: { value: guardAgent(entry.agent) } }) : guardAgent(entry)

  const toTold = (from: string, handoff: Any) =>
    derive(handoff, {
      onInvokeHandoff: {
        value: async (context: object, args: string) => {
          const next = await handoff.onInvokeHandoff(context, args)
          return (
            attempt(() => {
              turns.see({ type: 'handoff', agent: from, to: next.name, text: args })
              return guardAgent(next)
            }) ?? next
          )
        },
      },
    })

  /** A model that is known by name is made by the provider, which is asked right after this. */
  function modelOf(own: Any): Any {
    const selected = own || model
    if (typeof selected === 'object') return turns.guardModel(selected)
    isOurs = true
    queueMicrotask(() => {
      isOurs = false
    })
    return own
  }

  // agents that are tools of ours have the same provider, and are no part of this run
  const getModel = (name?: string) => {
    const made = modelProvider.getModel(name)
    if (!isOurs) return made
    return 'then' in made ? made.then(turns.guardModel) : turns.guardModel(made)
  }

  const close = modelProvider.close?.bind(modelProvider)
  const config = { ...runner.config, modelProvider: { getModel, close } }
  const guarded = Object.assign(new runner.constructor(), runner, { config })
  const run = runner.run
  guarded.run = async (agent: Any, input: Any, ...rest: unknown[]) => {
    // a state goes on with the agents that it has
    const isState = input?._currentAgent !== undefined
    attempt(() => {
      if (isState) turns.resume(input._context)
      if (isState && !originals.has(input._currentAgent)) link.giveUp(UNKNOWN)
    })
    if (!isState) {
      agents = new WeakMap()
      turns.begin()
    }
    const started = isState ? agent : (attempt(() => guardAgent(agent)) ?? agent)
    const result = await run.call(guarded, started, input, ...rest)
    attempt(() =>
      Object.defineProperty(result, 'lastAgent', {
        get: () => originals.get(result.state._currentAgent) ?? result.state._currentAgent,
      }),
    )
    return result
  }
  return guarded
}

const UNKNOWN = 'a state that was read from a string goes on without a guard'

function guardTool(turns: Turns, tool: Any): Any {
  // the SDK knows an agent that is a tool by its identity
  if (tool.type !== 'function' || typeof tool.on === 'function') return tool
  const guardrail = {
    type: 'tool_input',
    name: 'unloop',
    async run({ context, toolCall }: Any) {
      const message = turns.refusal(context, toolCall.callId)
      return {
        behavior: message === undefined ? { type: 'allow' } : { type: 'rejectContent', message },
      }
    },
  }
  return derive(tool, {
    inputGuardrails: { value: [...(tool.inputGuardrails ?? []), guardrail], enumerable: true },
  })
}

/** The same object with other members, which leaves it as it was. */
const derive = (object: Any, members: PropertyDescriptorMap): Any =>
  Object.create(Object.getPrototypeOf(object), {
    ...Object.getOwnPropertyDescriptors(object),
    ...members,
  })
