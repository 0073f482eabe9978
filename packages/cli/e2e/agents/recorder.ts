import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AgentName } from './agents.js'
import type { Lab } from './lab.js'

/** Installs a hook for every event of the agent; gives what reads the payloads that it got, in order. */
export async function installRecorder(
  name: AgentName,
  { home }: Lab,
): Promise<() => Promise<object[]>> {
  const file = join(home, 'payloads.jsonl')
  const program = join(home, 'recorder.cjs')
  await write(program, hookOf(file))
  const [path, text] = settings[name](`"${process.execPath}" "${program}"`, file)
  const before = await readFile(join(home, path), 'utf8').catch(() => '')
  await write(join(home, path), before === '' ? text : merge(before, text))
  return async () => {
    const lines = await readFile(file, 'utf8').catch(() => '')
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
}

const settings: Record<AgentName, (command: string, file: string) => [path: string, text: string]> =
  {
    'claude-code': (command) => [
      '.claude/settings.json',
      toHooks(command, [
        ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification'],
        ...['UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop', 'StopFailure'],
        ...['SubagentStart', 'SubagentStop', 'PreCompact', 'PermissionRequest'],
        ...['PermissionDenied', 'TaskCreated', 'TaskCompleted', 'MessageDisplay'],
      ]),
    ],
    codex: (command) => [
      '.codex/hooks.json',
      toHooks(command, [
        ...['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PreCompact', 'PostCompact'],
        ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'SubagentStart', 'SubagentStop'],
        'Stop',
      ]),
    ],
    // not those of the model, which fire for every chunk
    'gemini-cli': (command) => [
      '.gemini/settings.json',
      toHooks(command, [
        ...['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'SessionStart', 'SessionEnd'],
        ...['PreCompress', 'Notification'],
      ]),
    ],
    'qwen-code': (command) => [
      '.qwen/settings.json',
      toHooks(command, [
        ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification'],
        ...['UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop', 'StopFailure'],
        ...['SubagentStart', 'SubagentStop', 'PreCompact', 'PermissionRequest', 'MessageDisplay'],
      ]),
    ],
    opencode: (_, file) => ['.config/opencode/plugin/recorder.js', pluginOf(file)],
  }

const toHooks = (command: string, events: readonly string[]) => {
  const hooks = [{ type: 'command', command }]
  return JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, [{ hooks }]])) })
}

const merge = (before: string, after: string) =>
  JSON.stringify({ ...JSON.parse(before.replace(/^ *\/\/.*$/gm, '')), ...JSON.parse(after) })

/** One write for each payload, so that parallel hooks do not mix theirs. */
const hookOf = (file: string) => `const { appendFileSync, readFileSync } = require('node:fs')
const text = readFileSync(0, 'utf8')
appendFileSync(${JSON.stringify(file)}, JSON.stringify(JSON.parse(text)) + '\\n')
`

const pluginOf = (file: string) => `import { appendFileSync } from 'node:fs'
const record = (hook) => async (input, output) => {
  appendFileSync(${JSON.stringify(file)}, JSON.stringify({ hook, input, output }) + '\\n')
}
const HOOKS = ['event', 'chat.message', 'permission.ask', 'tool.execute.before', 'tool.execute.after']
export const Recorder = async () => Object.fromEntries(HOOKS.map((hook) => [hook, record(hook)]))
`

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
