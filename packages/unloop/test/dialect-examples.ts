import type { Answer } from '../src/reading/answer.js'

/** What an example must be read as. */
type Reads = Partial<Answer> & {
  /** the same as this text, which has no frame */
  body?: string
  /** it shows a page */
  page?: true
}

/** Where the wording of a family of tools comes from, and an example of each of its phrases. */
export interface DialectExamples {
  origin: string
  examples: [text: string, reads: Reads][]
}

const SILENT = { silent: true, failed: false, claims: false }
const ACCEPTED = { accepted: true, failed: false, claims: false }
const REFUSED = { claims: true, speaks: true, outage: false }
const UNUSABLE = { ...REFUSED, unusable: true }

export const dialectExamples: Record<string, DialectExamples> = {
  english: {
    origin: 'programs of all kinds',
    examples: [
      ['Done!', ACCEPTED],
      ['Successfully wrote 12 lines to notes.md', ACCEPTED],
      ['The file /src/a.ts has been updated.', ACCEPTED],
      ['File created successfully at: /src/a.ts', ACCEPTED],
      ['Usage: edit <start_line>:<end_line>', REFUSED],
      ["Model tried to call unavailable tool 'deploy'", UNUSABLE],
      ['Unknown tool: deploy', UNUSABLE],
      ['There is no such tool', UNUSABLE],
      ['There is no tool deploy', UNUSABLE],
      ['deploy is not a valid tool, try one of [read, write]', UNUSABLE],
      ['The tool deploy is not available', UNUSABLE],
      ['Tool deploy does not exist', UNUSABLE],
      ['Tool deploy not found', UNUSABLE],
      ['Invalid arguments for deploy', UNUSABLE],
      ['Invalid parameters: target is not a string', UNUSABLE],
      ["deploy() got an unexpected keyword argument 'force'", UNUSABLE],
      ["Missing required parameter 'target'", UNUSABLE],
      ["data must have required property 'target'", UNUSABLE],
      ['InputValidationError: deploy failed due to the following issue', UNUSABLE],
      ['Error: invalid API key', UNUSABLE],
      ['401 Unauthorized', UNUSABLE],
      ['You are not logged in', UNUSABLE],
      ['Authentication required', UNUSABLE],
      ['The token has expired', UNUSABLE],
      ['all files are up to date', { verdict: true, misses: false }],
      ['the request timed out', { claims: true }],
      ['the record does not exist', { claims: true }],
    ],
  },
  http: {
    origin: 'RFC 9110 and the error pages of servers',
    examples: [
      ['HTTP 404', { claims: true, outage: false }],
      ['503 Service Unavailable', { claims: true, outage: true }],
      ['500 rows were read', { failed: false, claims: false }],
    ],
  },
  shells: {
    origin: 'POSIX shells, GNU coreutils, PowerShell',
    examples: [
      ['Exit code: 0\nhello', { failed: false, claims: false, body: 'hello' }],
      ['Exit code 2\nhello', { failed: true }],
      ['Command exited with code 1', { failed: true }],
      ['hello\n[exit_code: 0]', { failed: false, claims: false, body: 'hello' }],
      ['make ended with exit code 2', { failed: true }],
      ['the worker exited with code 1', { failed: true }],
      ['it ended with exit status 1', { failed: true }],
      ['it ended with return code 1', { failed: true }],
      ['returncode: 1', { failed: true }],
      ['(no output)', SILENT],
      ['No output file was given', { silent: false }],
      ['bash: foo: command not found', { claims: true }],
      ["cat: 'a b': No such file or directory", { claims: true }],
      ['rm: a: Permission denied', { claims: true }],
      ['cat: src: Is a directory', { claims: true }],
      ['cd: a.txt: Not a directory', { claims: true }],
      ['chown: a: Operation not permitted', { claims: true }],
      ['bash: line 1: syntax error near unexpected token', { claims: true }],
      ['bash: line 2: unexpected end of file', { claims: true }],
      ["'foo' is not recognized as the name of a cmdlet", { claims: true }],
      ['cd: too many arguments', { claims: true }],
      ['cut: option requires an argument', { claims: true }],
      ['base64: invalid input', { claims: true }],
      ['gzip: stdin: not in gzip format', { claims: true }],
    ],
  },
  node: {
    origin: 'Node.js, libuv and npm',
    examples: [
      ['npm ERR! code ELIFECYCLE', { claims: true }],
      ['npm error Missing script: "lint"', { claims: true }],
    ],
  },
  compilers: {
    origin: 'javac, tsc, GNU ld, Python, Maven, Gradle, .NET and webpack',
    examples: [
      ['BUILD SUCCESS', { verdict: true }],
      ['BUILD SUCCESSFUL in 3s', { verdict: true }],
      ['Build succeeded.', { verdict: true }],
      ['Compiled successfully', { verdict: true }],
      ['A.java:3: error: cannot find symbol', { claims: true }],
      ["Error: Cannot find module './a'", { claims: true }],
      ['python: No module named flask', { claims: true }],
      ['a.o: undefined reference to `main`', { claims: true }],
    ],
  },
  sql: {
    origin: 'SQLite, PostgreSQL and MySQL',
    examples: [
      ['no such table: users', { claims: true }],
      ['no such column: users.name', { claims: true }],
      ["Unknown column 'name' in 'field list'", { claims: true }],
      ['You have an error in your SQL syntax near "FORM"', { claims: true }],
      ['Empty set (0.00 sec)', { misses: true }],
      ['Query OK, 1 row affected', ACCEPTED],
    ],
  },
  claudeCode: {
    origin: 'Claude Code, as its recorded sessions show it',
    examples: [
      ['Updated.\n(file state is current in your context)', { body: 'Updated.' }],
      ['hello\n<system-reminder>\nKeep it\nshort.\n</system-reminder>', { body: 'hello' }],
      ['hello\nShell cwd was reset to /src', { body: 'hello' }],
      [
        '<persisted-output>\nOutput too large (80 KB), saved to /tmp/x\nhello\n</persisted-output>',
        { body: 'hello' },
      ],
      ['<tool_use_error>Read it first.</tool_use_error>', { failed: true }],
      ['(Bash completed with no output)', SILENT],
      ['Tool ran without output or errors', SILENT],
      ['Command running in background with ID: b1f3', { pending: true }],
      ['Todos have been modified successfully. Go on.', ACCEPTED],
      ['Updated task #1 status', ACCEPTED],
      ['Task #5 created successfully: Run the tests', ACCEPTED],
      ["The user doesn't want to proceed with this tool use.", REFUSED],
      ['File has not been read yet. Read it first.', REFUSED],
      ['File has been modified since read.', REFUSED],
      ['File content (300KB) exceeds maximum allowed size (256KB).', REFUSED],
      [
        "The file /a.go has been updated. Here's the result of running `cat -n` on it:\n  1→// no error, no problem\n  2→return error",
        ACCEPTED,
      ],
      [
        "The file /a.go has been updated. All occurrences of 'error' were replaced with 'failure'.",
        ACCEPTED,
      ],
    ],
  },
  codex: {
    origin: 'openai/codex, codex-rs/core/src/tools',
    examples: [
      [
        'Command: /bin/zsh -lc ls\nChunk ID: 5541b8\nWall time: 0.0520 seconds\nProcess exited with code 0\nOriginal token count: 9\nTotal output lines: 1\nOutput:\nhello',
        { failed: false, claims: false, body: 'hello' },
      ],
      ['Process exited with code 2\nOutput:\nhello', { failed: true }],
      ['Process running with session ID 4964\nOutput:\n', { pending: true }],
      ['Success. Updated the following files:\nM src/a.ts\nA src/issue-list.md', ACCEPTED],
      ['Plan updated', ACCEPTED],
    ],
  },
  geminiCli: {
    origin: 'google-gemini/gemini-cli, packages/core/src/tools; QwenLM/qwen-code is its fork',
    examples: [
      [
        'Command: ls\nDirectory: (root)\nOutput: hello\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 4711',
        { failed: false, claims: false, body: 'hello' },
      ],
      [
        'Stdout: hello\nStderr:\nExit Code: (none)',
        { failed: false, claims: false, body: 'hello' },
      ],
      ['Output: (empty)\nExit Code: 0', SILENT],
      ['Created new file: /src/a.ts with provided content.', ACCEPTED],
    ],
  },
  opencode: {
    origin: 'anomalyco/opencode, packages/opencode/src/tool',
    examples: [
      [
        '<path>/src/a.ts</path>\n<type>file</type>\n<content>\nhello\n</content>\n(End of file - total 1 lines)',
        { body: 'hello' },
      ],
      ['<file>\nhello\n</file>', { body: 'hello' }],
      ['Edit applied successfully.', ACCEPTED],
      [
        'Edit applied successfully.\n\nLSP errors detected in this file, please fix:\nERROR [1:2] x',
        { accepted: false, failed: false, claims: false },
      ],
      ['Wrote file successfully.', ACCEPTED],
      ['oldString not found in content', REFUSED],
    ],
  },
  cline: {
    origin: 'cline/cline, src/core/prompts/responses.ts',
    examples: [
      [
        'The tool execution failed with the following error:\n<error>\nno disk\n</error>',
        { failed: true },
      ],
      ['Command executed.\nhello', { body: 'hello' }],
      ["Command is still running in the user's terminal.", { pending: true }],
      [
        'The content was successfully saved to a.ts.\n\nHere is the full, updated content of the file:\n\nthrow new Error(failed)\nerror',
        ACCEPTED,
      ],
      ['The user denied this operation.', REFUSED],
    ],
  },
  cursor: {
    origin: 'Cursor, as its recorded sessions show it',
    examples: [['Command output:\nhello\nCommand completed in 51 ms.', { body: 'hello' }]],
  },
  sweAgent: {
    origin: 'SWE-agent/SWE-agent, tools and config',
    examples: [
      ['hello\n(Open file: n/a)\n(Current directory: /src)\nbash-$', { body: 'hello' }],
      ['Your command ran successfully and did not produce any output.', SILENT],
      ['[File: /a.py (2 lines total)]\n1:a\n2:b\nFile updated. Please review it.', ACCEPTED],
      [
        'Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\nThis is how your edit would have looked if applied\n1:  a',
        REFUSED,
      ],
    ],
  },
  miniSweAgent: {
    origin: 'SWE-agent/mini-swe-agent, src/minisweagent/config',
    examples: [
      [
        '<returncode>0</returncode>\n<output>\nhello\n</output>',
        { failed: false, claims: false, body: 'hello' },
      ],
      ['<returncode>1</returncode>\n<output>\nhello\n</output>', { failed: true }],
      ['<returncode>0</returncode>\n<output>\n</output>', SILENT],
      [
        '<returncode>0</returncode>\n<warning>\nToo long.\n</warning>\n<output_head>\nhello\n</output_head>\n<elided_chars>\n</elided_chars>\n<output_tail>\nworld\n</output_tail>',
        { body: 'hello\nworld' },
      ],
      ['The last command <command>vi</command> timed out and has been killed.', REFUSED],
    ],
  },
  openHands: {
    origin: 'OpenHands/OpenHands, openhands/events/observation',
    examples: [
      [
        'hello\n[The command completed with exit code 0.]\n[Current working directory: /src]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 0]',
        { failed: false, claims: false, body: 'hello' },
      ],
      ['hello\n[The command completed with exit code 1.]', { failed: true }],
      ['[The command has no new output after 30 seconds.]', { pending: true }],
      ['New file created successfully at: /src/a.ts', ACCEPTED],
      ['Last edit to /src/a.ts undone successfully.', ACCEPTED],
      ['No replacement was performed, old_str did not appear.', REFUSED],
    ],
  },
  frameworks: {
    origin: 'huggingface/smolagents, FoundationAgents/OpenManus and other frameworks',
    examples: [
      ['Execution logs:\nhello\nLast output from code snippet:\n', { body: 'hello' }],
      ['Observed output of cmd `ls` executed:\nhello', { body: 'hello' }],
      [
        'The tool query was executed successfully.\n\nThe result is stored under key:\nvar_call_5369493714730577500\n\nThe result is:\nhello',
        { body: 'hello' },
      ],
      ['The tool query execution failed. The error message is:\nno disk', { failed: true }],
      ['The error message is:\nno disk', { failed: true }],
      ['<result>\n<stdout>hello</stdout>\n<stderr></stderr>\n</result>', { body: 'hello' }],
    ],
  },
  browsers: {
    origin: 'microsoft/playwright-mcp, ChromeDevTools/chrome-devtools-mcp, browser-use/browser-use',
    examples: [
      ['### Ran Playwright code\nhello', { body: 'hello' }],
      ['### Result\nhello', { body: 'hello' }],
      ['### Page state\n- Page URL: https://shop.example/', { page: true }],
      ['Current URL: https://shop.example/', { page: true }],
      ['- button "Pay" [ref=e12]', { page: true }],
      ['[4] RootWebArea "Shop"', { page: true }],
      ['## Latest page snapshot\nuid=1_0 button', { page: true }],
      ['Viewport position: Showing page 1 of 5.', { page: true }],
      ['BEGIN accessibility tree', { page: true }],
      ['Interactive elements from top layer:\n[0]<a>Home</a>', { page: true }],
      ['locator.click: strict mode violation: 3 elements', { claims: true }],
      ['<div> intercepts pointer events', { claims: true }],
    ],
  },
  mcpServers: {
    origin: 'modelcontextprotocol/servers and the SDKs',
    examples: [['MCP error -32602: Invalid arguments', { claims: true }]],
  },
}
