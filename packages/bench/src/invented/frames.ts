import type { Call, Run, Style } from './script.js'

// How programs of today record and word the tools they all have.

export const claude: Style = { ids: 'toolu_01', clock: true }
export const codex: Style = { ids: 'call_', clock: true }
export const gemini: Style = { clock: true }
export const openAi: Style = { ids: 'call_' }
export const bare: Style = { turns: false }

const numbered = (lines: readonly string[], from = 1) =>
  lines.map((line, index) => `${String(from + index).padStart(6)}→${line}`).join('\n')

/** Claude Code */
export const bash = (command: string, output: string, code = 0, description = ''): Call => ({
  name: 'Bash',
  args: description ? { command, description } : { command },
  output: code ? `Exit code ${code}\n${output}` : output,
  isError: code !== 0,
})

export const edit = (file: string, before: string, after: string): Call => ({
  name: 'Edit',
  args: { file_path: file, old_string: before, new_string: after, replace_all: false },
  output: `The file ${file} has been updated successfully.`,
})

export const read = (file: string, lines: readonly string[], from = 1): Call => ({
  name: 'Read',
  args: from === 1 ? { file_path: file } : { file_path: file, offset: from, limit: lines.length },
  output: numbered(lines, from),
})

export const write = (file: string, content: string): Call => ({
  name: 'Write',
  args: { file_path: file, content },
  output: `File created successfully at: ${file}`,
})

export const grep = (pattern: string, path: string, output = 'No matches found'): Call => ({
  name: 'Grep',
  args: { pattern, path, output_mode: 'content' },
  output,
})

/** Codex: each answer comes in a frame. */
export const exec = (run: Run, cmd: string, output: string, code = 0): Call => ({
  name: 'exec_command',
  args: { cmd, workdir: '/home/dev/app', max_output_tokens: 6000, yield_time_ms: 1000 },
  output: framed(run, `Process exited with code ${code}`, output),
})

export const execRunning = (run: Run, cmd: string, session: number, output = ''): Call => ({
  name: 'exec_command',
  args: { cmd, workdir: '/home/dev/app', yield_time_ms: 10000 },
  output: framed(run, `Process running with session ID ${session}`, output),
})

export const stdin = (run: Run, session: number, output: string, code?: number): Call => ({
  name: 'write_stdin',
  args: { session_id: session, chars: '', yield_time_ms: 30000 },
  output: framed(
    run,
    code === undefined
      ? `Process running with session ID ${session}`
      : `Process exited with code ${code}`,
    output,
  ),
})

export const patch = (file: string, body: string): Call => ({
  name: 'apply_patch',
  args: { input: `*** Begin Patch\n*** Update File: ${file}\n@@\n${body}\n*** End Patch` },
  output: `{"output":"Success. Updated the following files:\\nM ${file}\\n","metadata":{"exit_code":0,"duration_seconds":0.0}}`,
})

const framed = (run: Run, state: string, output: string) =>
  `Chunk ID: ${run.hex(6)}\nWall time: ${run.decimal(0, 3, 4)} seconds\n${state}\nOriginal token count: ${Math.ceil(output.length / 4)}\nOutput:\n${output}`

/** Gemini CLI and qwen-code */
export const shell = (run: Run, command: string, output: string, code = 0): Call => ({
  name: 'run_shell_command',
  args: { command },
  output: [
    `Command: ${command}`,
    'Directory: (root)',
    `Output: ${output || '(empty)'}`,
    'Error: (none)',
    `Exit Code: ${code}`,
    'Signal: (none)',
    'Background PIDs: (none)',
    `Process Group PGID: ${run.int(2000, 90000)}`,
  ].join('\n'),
})

/** mini-swe-agent */
export const mini = (command: string, output: string, code = 0): Call => ({
  name: 'bash',
  args: { command },
  output: `<returncode>${code}</returncode>\n<output>\n${output}${output ? '\n' : ''}</output>`,
})

/** OpenHands */
export const executeBash = (command: string, output: string, code = 0): Call => ({
  name: 'execute_bash',
  args: { command },
  output: `${output}\n[The command completed with exit code ${code}.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code ${code}]`,
})

/** An answer as MCP servers give it. */
export const mcp = (name: string, args: unknown, text: string, isError = false): Call => ({
  name,
  args,
  output: { content: [{ type: 'text', text }], isError },
  isError,
})

/** Any function tool that answers in JSON. */
export const json = (name: string, args: unknown, answer: unknown): Call => ({
  name,
  args,
  output: JSON.stringify(answer),
})

/** A tool that answers in plain words. */
export const plain = (name: string, args: unknown, output: string, isError?: boolean): Call => ({
  name,
  args,
  output,
  ...(isError === undefined ? {} : { isError }),
})
