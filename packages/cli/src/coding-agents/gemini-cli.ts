import type { AgentEvent } from 'unloop'
import { type CodingAgent, given, type Payload, recordIn, textIn } from './coding-agent.js'

/** Gemini CLI: refuses calls and ends the run. Its calls have no ids. */
export const geminiCli: CodingAgent = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  program: 'gemini',
  limits: [
    'Calls have no ids, so a call and its answer are matched by name and arguments.',
    'A message is seen when the turn is over, so a chant is not cut while it is written.',
    'Gemini CLI has a loop detector of its own, which stops a call that is repeated exactly.',
  ],

  read(payload) {
    const hook = textIn(payload, 'hook_event_name')
    const session = textIn(payload, 'session_id')
    const event = hook && eventOf(hook, payload)
    if (!hook || !session || !event) return
    return { hook, session, folder: textIn(payload, 'cwd'), event, args: payload.tool_input }
  },

  answer({ hook }, decision) {
    if (decision.type === 'stop')
      return { stdout: { continue: false, stopReason: decision.notice } }
    if (decision.type === 'ask' || decision.type === 'deny')
      return { stdout: { decision: 'deny', reason: decision.reason } }
    const { advice } = decision
    if (hook !== 'AfterTool' || advice === undefined) return {}
    return { stdout: { hookSpecificOutput: { hookEventName: hook, additionalContext: advice } } }
  },
}

function eventOf(hook: string, payload: Payload): AgentEvent | undefined {
  const name = textIn(payload, 'tool_name') ?? ''
  switch (hook) {
    case 'BeforeAgent':
      return { type: 'prompt', ...given({ text: textIn(payload, 'prompt') }) }
    case 'BeforeTool':
      return { type: 'tool-call', name, args: payload.tool_input }
    case 'AfterTool': {
      const { error, llmContent } = recordIn(payload, 'tool_response')
      const output = error ?? llmContent ?? payload.tool_response
      return { type: 'tool-result', name, output, ...(error !== undefined && { isError: true }) }
    }
    case 'AfterAgent': {
      const text = textIn(payload, 'prompt_response')
      return text === undefined ? undefined : { type: 'text', text }
    }
    case 'PreCompress':
      return { type: 'compaction' }
    default:
      return
  }
}
