import { z } from 'zod'
import { type AgentOptions, createAgent } from './agent.js'
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
    async execute({ task }, { signal, report }) {
      const agent = createAgent(options)
      let answer = ''
      for await (const event of agent.sendMessageStream(task, signal)) {
        if (event.type === 'turn-start') answer = ''
        if (event.type === 'text') answer += event.text
        if (event.type === 'loop_detected') {
          throw new Error(
            `${name} got stuck and was stopped: ${event.finding.detail}. ${event.finding.advice}`,
          )
        }
        if (event.type === 'error') throw new Error(`${name} failed: ${event.message}`)
        if (event.type === 'turn-limit')
          throw new Error(`${name} did not finish in ${event.turns} turns.`)
        // the task is the caller's own call, and its result tells the end
        if (event.type !== 'prompt' && event.type !== 'finished') report({ ...event, agent: name })
      }
      return answer
    },
  })
}
