import { callWith, type Run, reasonOf } from '../../host/run.js'
import type { Any } from '../shared/any.js'

/** The agents of the program, by those that are run in their place. */
const originals = new WeakMap<object, Any>()

/** The program's own agent for one of ours. */
export const originalOf = (agent: Any): Any => originals.get(agent) ?? agent

export const isGuardedAgent = (agent: object): boolean => originals.has(agent)

export interface AgentsOptions {
  run: Run
  /** Gives the model that an agent is run with. */
  modelOf(own: Any): Any
  /** Told whose turn it is, and which of its tools are agents. */
  onTurn(context: object, agentTools: string[]): void
}

/** A function that gives the same agent, guarded: with its tools, its models and those it hands the task to. */
export function createGuardAgent({ run, modelOf, onTurn }: AgentsOptions): (agent: Any) => Any {
  const agents = new WeakMap<object, Any>()

  function guardAgent(agent: Any): Any {
    const original = originalOf(agent)
    const known = agents.get(original)
    if (known) return known
    const guarded = derive(original, {
      model: { get: () => modelOf(original.model), enumerable: true },
      handoffs: { get: () => original.handoffs?.map(guardHandoff), enumerable: true },
      getAllTools: {
        value: async (context: object, ...rest: unknown[]) => {
          const tools: Any[] = await original.getAllTools(context, ...rest)
          run.attempt(() =>
            onTurn(
              context,
              tools.filter(isAgentTool).map(({ name }) => name),
            ),
          )
          return tools.map((tool) => guardTool(run, tool))
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
            run.attempt(() => {
              const event = { type: 'handoff', agent: from, to: next.name, text: args } as const
              const verdict = run.decide(event)
              // the SDK has handed it on by now; whoever has the task is told
              if (verdict.type === 'deny') run.advise(verdict.reason)
              return guardAgent(next)
            }) ?? next
          )
        },
      },
    })

  return guardAgent
}

const isAgentTool = (tool: Any) => typeof tool.on === 'function'

function guardTool(run: Run, tool: Any): Any {
  // the SDK knows an agent that is a tool by its identity
  if (tool.type !== 'function' || isAgentTool(tool)) return tool
  const guardrail = {
    type: 'tool_input',
    name: 'unloop',
    async run({ toolCall }: Any) {
      const message = run.attempt(() => refusalOf(run, toolCall.callId))
      return {
        behavior: message === undefined ? { type: 'allow' } : { type: 'rejectContent', message },
      }
    },
  }
  return derive(tool, {
    inputGuardrails: { value: [...(tool.inputGuardrails ?? []), guardrail], enumerable: true },
  })
}

const refusalOf = (run: Run, id: string) =>
  run.outcome === 'unguarded' ? undefined : reasonOf(callWith(run, id)?.verdict)

/** The same object with other members, which leaves it as it was. */
const derive = (object: Any, members: PropertyDescriptorMap): Any =>
  Object.create(Object.getPrototypeOf(object), {
    ...Object.getOwnPropertyDescriptors(object),
    ...members,
  })
