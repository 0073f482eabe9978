/**
 * The wording of one family of tools: entries separated by `|`, case-insensitive. `*` stands for any words up to the next
 * one or to the end of the line, `**` for any lines, `$` for an exit code. A sign directly before the first word or after
 * any word has to be there; other signs do not matter. `test/dialect-examples.ts` has an example for each.
 */
export interface Dialect {
  /** what a tool puts around an answer, at the start of a line, or anywhere if it starts with a bracket */
  frames?: string
  /** the same: lines that say that there is no output; that it is still running; that it failed */
  silent?: string
  running?: string
  failed?: string
  /** a line that starts like this says that a change was made */
  accepted?: string
  /** an answer that starts like this is an error, unless the call asked for help */
  refused?: string
  usage?: string
  /** the text of a file follows, which says nothing about the outcome */
  quotes?: string
  /** an exit code follows, in a sentence */
  exits?: string
  /** the first words of a page or of a screen */
  screens?: string
  /** names of errors, recognized in any context */
  names?: string
  /** the same: the tool does not exist, or not with such arguments, so no other item can work either */
  unusable?: string

  /** the rest are words or phrases near the start: for errors, for errors if the answer is short, for unreachable services */
  errors?: string
  hints?: string
  outages?: string
  pending?: string
  success?: string
  /** one thing is fine */
  good?: string
  nothing?: string
  /** what is missing, or what is not wrong, if one of these negates it: for a clause, for a word or two, after a colon */
  absent?: string
  trouble?: string
  no?: string
  not?: string
  none?: string
  /** a number after it only says which one; a number before it only how long */
  counted?: string
  units?: string
  /** a number after it is the status of a request */
  status?: string
}

export const dialects: Record<string, Dialect> = {
  // what programs of all kinds say
  english: {
    errors:
      'error|errors|exception|traceback|failed|failure|fail|fatal|cannot|unable|invalid|denied|undefined|unexpected|unknown|rejected|refused|timeout|timed out|does not exist|unavailable|unauthorized|forbidden|unsupported|unrecognized|aborted',
    hints: 'required|must|missing|bad|wrong|incorrect|illegal',
    outages:
      'timeout|overloaded|unreachable|throttled|throttling|ratelimit|rate limit|too many requests|quota exceeded|bad gateway|service unavailable|service is unavailable|server is unavailable|temporarily unavailable|currently unavailable|connection refused|connection reset|connection timed out|request timed out|could not resolve host',
    pending:
      'pending|running|queued|processing|waiting|progress|building|starting|scheduled|inprogress|in_progress|creating|provisioning|deploying|installing',
    success:
      'updated|successfully|successful|success|created|saved|written|applied|replaced|modified|done',
    good: 'ok|okay|healthy|valid|clean|passed|up to date',
    nothing: 'nothing',
    absent:
      'found|find|matches|match|results|result|files|file|such|output|changes|items|entries|data|records|rows|hits|exist|exists|page|available',
    trouble:
      'errors|problem|problems|issue|issues|warnings|failures|vulnerabilities|violations|offenses|conflicts|complaints',
    no: 'no|zero|without',
    not: 'not|any',
    none: 'none|null|nil|empty',
    counted:
      'error|pid|pids|pgid|line|lines|port|attempt|retry|try|request|job|session|seq|process|thread|worker|took',
    units:
      'ms|s|sec|secs|second|seconds|m|min|mins|minute|minutes|h|hour|hours|us|µs|ns|millisecond|milliseconds|line|lines|more|bytes|chars|characters',
    accepted: 'Done!|Successfully|The file * has been|File * successfully',
    usage: 'Usage:',
    unusable:
      'unavailable tool|unknown tool|no such tool|there is no tool|is not a valid tool|tool * is not available|tool * does not exist|tool * not found|invalid arguments|invalid parameters|unexpected keyword argument|missing required|must have required property|InputValidationError|invalid api key|401 unauthorized|not logged in|authentication required|token has expired',
  },

  http: {
    status: 'http|status|code|error|response',
    hints: '400|401|403|404|405|422|500|429|502|503|504|529',
    outages: '429|502|503|504|529',
  },

  shells: {
    frames: 'Exit code: $|Exit code $|Command exited with code $|[exit_code: $]',
    exits: 'exit code|exited with code|exit status|return code|returncode',
    silent: 'no output',
    names:
      'command not found|No such file or directory|Permission denied|Is a directory|Not a directory|Operation not permitted|syntax error|unexpected end of file|is not recognized as|too many arguments|requires an argument|invalid input|not in * format',
  },

  node: {
    errors: 'enoent|eacces|npm ERR!|npm error',
    outages:
      'econnrefused|econnreset|econnaborted|etimedout|enotfound|eai_again|getaddrinfo|enetunreach|ehostunreach',
  },

  compilers: {
    good: 'build success|build successful|build succeeded|compiled successfully',
    names: 'cannot find symbol|cannot find module|no module named|undefined reference to',
  },

  sql: {
    names: 'no such table|no such column|unknown column|error in your SQL syntax',
    nothing: 'empty set',
    accepted: 'Query OK',
  },

  claudeCode: {
    frames:
      '(file state is current *|<system-reminder>**</system-reminder>|Shell cwd was reset to *|<persisted-output>|</persisted-output>|Output too large *|</tool_use_error>',
    failed: '<tool_use_error>',
    silent: 'Bash completed with no output|Tool ran without output or errors',
    running: 'Command running in background with ID *',
    accepted: 'Todos have been modified|Updated task *|Task * created successfully',
    refused:
      'The user doesn t want to proceed|File has not been read yet|File has been modified since|File content * exceeds maximum',
    quotes: 'Here s the result of running|All occurrences of',
  },

  codex: {
    frames:
      'Command: *|Chunk ID: *|Wall time: *|Process exited with code $|Original token count: *|Total output lines: *|Output:',
    running: 'Process running with session ID *',
    accepted: 'Success. Updated the following files|Plan updated',
  },

  geminiCli: {
    frames:
      'Directory: *|Stdout:|Stderr:|Error: (none)|Exit Code: (none)|Signal: *|Background PIDs: *|Process Group PGID: *',
    silent: '(empty)',
    accepted: 'Created new file',
  },

  opencode: {
    frames: '<path>*</path>|<type>*</type>|<content>|</content>|<file>|</file>|(End of file *',
    accepted: 'Edit applied successfully|Wrote file successfully',
    refused: 'oldString not found',
  },

  cline: {
    frames: '<error>|</error>|Command executed.',
    failed: 'The tool execution failed with the following error',
    running: 'Command is still running *',
    accepted: 'The content was successfully saved',
    refused: 'The user denied this operation',
    quotes: 'Here is the full',
  },

  cursor: {
    frames: 'Command output:|Command completed in *',
  },

  sweAgent: {
    frames: '(Open file: *|(Current directory: *|bash-',
    silent: 'Your command ran successfully and did not produce any output',
    accepted: 'File updated',
    refused: 'Your proposed edit has introduced new syntax error',
    quotes: 'This is how your edit would have looked',
  },

  miniSweAgent: {
    frames:
      '<returncode>$</returncode>|<output>|</output>|<output_head>|</output_head>|<output_tail>|</output_tail>|<elided_chars>**</elided_chars>|<warning>**</warning>',
    refused: 'The last command * timed out',
  },

  openHands: {
    frames:
      '[The command completed with exit code $.]|[Command finished with exit code $]|[Current working directory: *|[Python interpreter: *',
    running: '[The command has no new output *',
    accepted: 'New file created|Last edit to * undone',
    refused: 'No replacement was performed',
  },

  frameworks: {
    frames:
      'Execution logs:|Last output from code snippet:|Observed output of cmd * executed:|The tool * was executed successfully.|The result is stored under key ** The result is:|<result>|</result>|<stdout>|</stdout>|<stderr>|</stderr>',
    failed: 'The tool * execution failed|The error message is:',
  },

  browsers: {
    frames: '### Result|### Ran Playwright code|### Page state',
    screens:
      'Page URL:|Current URL:|[ref=|RootWebArea|page snapshot|Viewport position:|accessibility tree|Interactive elements',
    names: 'strict mode violation|intercepts pointer events',
  },

  mcpServers: {
    names: 'MCP error',
  },
}
