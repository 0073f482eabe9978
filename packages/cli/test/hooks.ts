import { type HookHost, hook } from '../src/hook/hook.js'
import { emptyFolder } from './host.js'

/** What an agent is told by a hook, as it reads it. */
export type Told = Record<string, unknown> & { hookSpecificOutput?: Record<string, unknown> }

/** A machine on which hooks run, with a home of its own. */
export function createHookHost(env: NodeJS.ProcessEnv = {}): HookHost {
  const home = emptyFolder()
  return { env: { HOME: home, ...env }, platform: 'linux', cwd: () => home }
}

/** Tells a hook an event; nothing if it says nothing. */
export function tell(host: HookHost, agent: string, payload: object): Told | undefined {
  return hook(host, agent, JSON.stringify(payload)).stdout as Told | undefined
}

/** A Claude Code that makes calls: each is announced, and answered unless it was refused. */
export function createClaude(host: HookHost, fields: object = {}) {
  let count = 0
  const send = (name: string, more: object) =>
    tell(host, 'claude-code', { session_id: 's1', hook_event_name: name, ...fields, ...more })
  return {
    send,
    prompt: (prompt: string) => send('UserPromptSubmit', { prompt, prompt_id: `p${count++}` }),
    call(command: string, answer: string | object = { stdout: `${command} is done` }) {
      const tool = { tool_name: 'Bash', tool_use_id: `t${count++}`, tool_input: { command } }
      const before = send('PreToolUse', tool)
      const round = (tool_response: unknown) =>
        send('PostToolBatch', { tool_calls: [{ ...tool, tool_response }] })
      if (isRefusal(before)) {
        if (before?.continue !== false) round(reasonIn(before))
        return { before, after: undefined, hasRun: false }
      }
      const after = round(
        typeof answer === 'string' ? `Exit code 1\n${answer}` : textIn(answer as Payload),
      )
      return { before, after, hasRun: true }
    },
    /** A round of calls that no hook is told of before they fail. */
    fail: (...calls: { tool_name: string; tool_input?: object; tool_response: string }[]) =>
      send('PostToolBatch', {
        tool_calls: calls.map((call) => ({
          tool_use_id: `t${count++}`,
          tool_input: {},
          ...call,
        })),
      }),
  }
}

type Payload = Record<string, unknown>

const reasonIn = (told: Told | undefined) =>
  `PreToolUse:Bash hook error: ${told?.hookSpecificOutput?.permissionDecisionReason}`

const textIn = ({ stdout, ...rest }: Payload) =>
  Object.keys(rest).length === 0 ? stdout : [{ type: 'text', text: stdout, ...rest }]

const isRefusal = (told: Told | undefined) =>
  told?.continue === false || told?.hookSpecificOutput?.permissionDecision === 'deny'
