import { expect, it } from 'vitest'
import { createClaude, createHookHost, tell } from '../../test/hooks.js'
import { withoutFrame } from './quoted.js'

const said = 'the tool failed 4 times with the same error'
const missing = 'cat: nothing.txt: No such file or directory'

it.each([
  [`Exit code 1\n${missing}`],
  [
    `<untrusted_context>\nOutput: ${missing}\nExit Code: 1\nProcess Group PGID: 4711\n</untrusted_context>`,
  ],
  [`Output: ${missing} Error: (none) Exit Code: 1 Signal: (none) Background PIDs: (none)`],
  [`<untrusted_context> Output: ${missing} Exit Code: 1 Process Group PG`],
  [`Output: ${missing} Process Group`],
  [missing],
])('quotes what a tool has said, not its frame: %j', (quoted) =>
  expect(withoutFrame(`${said}: ${quoted}`)).toBe(`${said}: ${missing}`),
)

it.each([
  'the tool failed 4 times with the same error: Exit code 1',
  'the tool failed 4 times with the same error: Exit Code: 1',
  'Bash was called 4 times with the same arguments',
  'the last 9 calls all failed, most recently with: the Output: is (empty)',
])('leaves what has no frame, or nothing else: %j', (detail) =>
  expect(withoutFrame(detail)).toBe(detail),
)

it.each(['false', 'true', 'null'])('does not quote %s, which a record began with', (value) =>
  expect(withoutFrame(`${said}: ${value}`)).toBe(said),
)

it('shows the person no frame', () => {
  const claude = createClaude(createHookHost())
  const notices = Array.from({ length: 20 }, (_, i) => claude.call(`cat a${i}.txt`, missing))
    .flatMap(({ before, after }) => [before?.systemMessage, after?.systemMessage])
    .filter((words) => typeof words === 'string')
  expect(notices.join('\n')).toContain(missing)
  expect(notices.join('\n')).not.toContain('Exit code')

  const host = createHookHost()
  const tool = { session_id: 's2', tool_name: 'run_shell_command' }
  const llmContent = `<untrusted_context>\nOutput: ${missing}\nExit Code: 1\nProcess Group PGID: 4711\n</untrusted_context>`
  const told = Array.from({ length: 20 }, (_, i) => {
    const call = { ...tool, tool_input: { command: `cat b${i}.txt` } }
    const before = tell(host, 'gemini-cli', { ...call, hook_event_name: 'BeforeTool' })
    if (before) return before
    const tool_response = { llmContent }
    return tell(host, 'gemini-cli', { ...call, hook_event_name: 'AfterTool', tool_response })
  })
  const words = told.map((one) => `${one?.systemMessage ?? ''}${one?.stopReason ?? ''}`).join('\n')
  expect(words).toContain(missing)
  expect(words).not.toMatch(/untrusted_context|PGID|Exit Code/)
})
