import type { Payload } from '../coding-agents/coding-agent.js'

/** Events of an agent that asks for the same failing call again and again. */
interface Synthetic {
  prompt: Payload
  before(id: string): Payload
  after(id: string): Payload
  /** what the model is asked again with, where a hook tells */
  next?: Payload
}

const COMMAND = 'cat nothing.txt'
const ANSWER = 'cat: nothing.txt: No such file or directory'

/** The events of a loop, as each agent tells them. */
export const syntheticLoop = (agent: string, session: string, folder: string): Synthetic => {
  const shape = SHAPES[agent] ?? claude
  return shape(session, folder)
}

type Shape = (session: string, folder: string) => Synthetic

const claude: Shape = (session_id, cwd) => {
  const base = { session_id, cwd }
  const call = (id: string) => ({
    ...base,
    tool_name: 'Bash',
    tool_input: { command: COMMAND },
    tool_use_id: id,
  })
  return {
    prompt: { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'Read the file.' },
    before: (id) => ({ ...call(id), hook_event_name: 'PreToolUse' }),
    after: (id) => ({ ...call(id), hook_event_name: 'PostToolUse', tool_response: ANSWER }),
  }
}

const failing: Shape = (session, folder) => ({
  ...claude(session, folder),
  after: (id) => {
    const { tool_response, ...rest } = claude(session, folder).after(id)
    return { ...rest, hook_event_name: 'PostToolUseFailure', error: tool_response }
  },
})

const claudeCode: Shape = (session, folder) => ({
  ...claude(session, folder),
  after: (id) => {
    const { session_id, cwd, hook_event_name: _, ...call } = claude(session, folder).after(id)
    return { session_id, cwd, hook_event_name: 'PostToolBatch', tool_calls: [call] }
  },
})

const qwen: Shape = (session, folder) => ({
  ...failing(session, folder),
  next: { ...failing(session, folder).prompt, prompt: '' },
})

const gemini: Shape = (session_id, cwd) => {
  const base = { session_id, cwd }
  const call = { ...base, tool_name: 'run_shell_command', tool_input: { command: COMMAND } }
  const tool_response = { llmContent: ANSWER, error: ANSWER }
  return {
    prompt: { ...base, hook_event_name: 'BeforeAgent', prompt: 'Read the file.' },
    before: () => ({ ...call, hook_event_name: 'BeforeTool' }),
    after: () => ({ ...call, hook_event_name: 'AfterTool', tool_response }),
  }
}

const opencode: Shape = (session, folder) => {
  const base = { session, folder }
  const call = (id: string) => ({ ...base, call: id, tool: 'bash', args: { command: COMMAND } })
  return {
    prompt: { ...base, hook: 'prompt', text: 'Read the file.' },
    before: (id) => ({ ...call(id), hook: 'before' }),
    after: (id) => ({ ...call(id), hook: 'failed', output: ANSWER }),
  }
}

const cursor: Shape = (conversation_id, cwd) => {
  const base = { conversation_id, generation_id: 'g', cwd, workspace_roots: [cwd] }
  const call = (id: string) => ({
    ...base,
    tool_name: 'Shell',
    tool_input: { command: COMMAND },
    tool_use_id: id,
  })
  return {
    prompt: { ...base, hook_event_name: 'beforeSubmitPrompt', prompt: 'Read the file.' },
    before: (id) => ({ ...call(id), hook_event_name: 'preToolUse' }),
    after: (id) => ({ ...call(id), hook_event_name: 'postToolUseFailure', error_message: ANSWER }),
  }
}

const copilot: Shape = (sessionId, cwd) => {
  const base = { sessionId, cwd, timestamp: 0 }
  const call = { ...base, toolName: 'bash', toolArgs: { command: COMMAND } }
  return {
    prompt: { ...base, prompt: 'Read the file.' },
    before: () => call,
    after: () => ({ ...call, error: ANSWER }),
  }
}

const cline: Shape = (taskId, folder) => {
  const base = { taskId, workspaceRoots: [folder], clineVersion: '3' }
  const call = (id: string) => ({ id, name: 'run_commands', input: { command: COMMAND } })
  return {
    prompt: { ...base, hookName: 'prompt_submit', prompt: 'Read the file.' },
    before: (id) => ({ ...base, hookName: 'tool_call', tool_call: call(id) }),
    after: (id) => ({
      ...base,
      hookName: 'tool_result',
      tool_result: { ...call(id), output: '', error: ANSWER },
    }),
  }
}

const SHAPES: Record<string, Shape> = {
  'claude-code': claudeCode,
  'qwen-code': qwen,
  'gemini-cli': gemini,
  opencode,
  cursor,
  copilot,
  cline,
}
