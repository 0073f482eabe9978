import { z } from 'zod'
import { type AgentOptions, createAgent } from './agent.js'
import type { ClientEvent } from './client-event.js'
import { defineTool, type Tool } from './tool.js'

export interface SubAgentOptions extends Omit<AgentOptions, 'personas' | 'saved' | 'log'> {
  name: string
  description: string
  timeoutMs?: number
}

// a task of its own takes longer than a call of a tool
const TIMEOUT_MS = 10 * 60_000

/**
 * An agent as a tool of another. Its own guard stops it, and it reports what it does to the guard of the
 * agent that called it: one that gets stuck in the same way each time is the caller's loop.
 */
export function createSubAgent({
  name,
  description,
  timeoutMs = TIMEOUT_MS,
  ...options
}: SubAgentOptions): Tool {
  return defineTool({
    name,
    description,
    parameters: z.object({
      task: z.string().describe('what it has to do, with all it needs to know'),
    }),
    timeoutMs,
    endsOnAbort: true,
    async execute({ task }, { signal, report }) {
      const agent = createAgent(options)
      let answer = ''
      for await (const event of agent.sendMessageStream(task, signal)) {
        const problem = problemOf(event)
        if (problem !== undefined) throw new Error(`${name} ${problem}`)
        if (event.type === 'turn-start') answer = ''
        if (event.type === 'text') answer += event.text
        // the task is the caller's own call, and its result tells the end
        if (event.type !== 'prompt' && event.type !== 'finished') report({ ...event, agent: name })
      }
      signal.throwIfAborted()
      return answer
    },
  })
}

/** Why a sub-agent that ends with this event has no answer, for the model that called it. */
function problemOf(event: ClientEvent): string | undefined {
  switch (event.type) {
    case 'loop_detected':
      return `got stuck and was stopped: ${event.finding.detail}. ${event.finding.advice}`
    case 'error':
      return `failed: ${event.message}`
    case 'turn-limit':
      return `did not finish in ${event.turns} turns.`
    case 'prompt':
    case 'turn-start':
    case 'text':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
    case 'usage':
    case 'turn-end':
    case 'retry':
    case 'handoff':
    case 'compaction':
    case 'fault':
    case 'loop_warning':
    case 'finished':
      return
    default:
      return event satisfies never
  }
}
