import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { type CodingAgent, given, message, type Payload, recordIn, textIn } from './coding-agent.js'
import { folderFrom, forEach, HOOK_LIMIT } from './install.js'

/** Gemini CLI: refuses calls and ends the run. Its calls have no ids. */
export const geminiCli: CodingAgent = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  program: 'gemini',
  limits: [
    'Calls have no ids, so a call and its answer are matched by name and arguments.',
    'Text and thoughts are not shown to hooks in a form that can be read.',
    'Gemini CLI has a loop detector of its own, which stops a call that is repeated exactly.',
  ],

  install: {
    home: (place) => join(folderFrom(place, 'GEMINI_CLI_HOME', ''), '.gemini'),
    files(scope, place, command) {
      const { home } = geminiCli.install
      const folder = scope === 'user' ? home(place) : join(place.project, '.gemini')
      // in milliseconds; not AfterModel, which runs for every piece of a message
      const entry = { hooks: [{ type: 'command', command, timeout: HOOK_LIMIT * 1000 }] }
      const events = ['BeforeAgent', 'BeforeTool', 'AfterTool']
      return [
        { type: 'entries', path: join(folder, 'settings.json'), events: forEach(events, entry) },
      ]
    },
    isOnce: true,
  },

  read(payload) {
    const hook = textIn(payload, 'hook_event_name')
    const session = textIn(payload, 'session_id')
    const event = hook && eventOf(hook, payload)
    if (!hook || !session || !event) return
    return { hook, session, folder: textIn(payload, 'cwd'), event, args: payload.tool_input }
  },

  answer({ hook }, decision) {
    if (decision.type === 'go') {
      const { advice } = decision
      if (hook !== 'AfterTool' || advice === undefined) return message(decision)
      return { stdout: { hookSpecificOutput: { hookEventName: hook, additionalContext: advice } } }
    }
    const { type, reason, notice } = decision
    if (type === 'stop') return { stdout: { continue: false, stopReason: notice } }
    return { stdout: { decision: 'deny', reason, systemMessage: notice } }
  },
}

function eventOf(hook: string, payload: Payload): AgentEvent | undefined {
  const name = textIn(payload, 'tool_name') ?? ''
  switch (hook) {
    case 'BeforeAgent':
      return { type: 'prompt', ...given({ text: textIn(payload, 'prompt') }) }
    case 'BeforeTool':
      return { type: 'tool-call', name, args: payload.tool_input }
    case 'AfterTool':
      return { type: 'tool-result', name, ...answerIn(recordIn(payload, 'tool_response')) }
    default:
      return
  }
}

/** What the model read. */
function answerIn(response: Payload): { output: unknown; isError?: true } {
  const { error, llmContent } = response
  if (error !== undefined && error !== null) return { output: error, isError: true }
  const hasFailed = typeof llmContent === 'string' && FAILED.test(llmContent)
  return { output: llmContent ?? response, ...(hasFailed && { isError: true }) }
}

const FAILED = /^Exit Code: [1-9]/m
