import { readFileSync } from 'node:fs'
import type { Host } from './host.js'

/** What agents set for the commands that they run, and what their programs are called: of the first five as seen, of the others as published. */
const AGENTS: { title: string; variables: readonly string[]; programs: readonly string[] }[] = [
  {
    title: 'Claude Code',
    variables: ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_PID'],
    programs: ['claude', 'claude.exe', '@anthropic-ai/claude-code'],
  },
  {
    title: 'Codex',
    variables: [
      'CODEX_THREAD_ID',
      'CODEX_SESSION_ID',
      'CODEX_TOOL_CALL_ID',
      'CODEX_CI',
      'CODEX_SANDBOX',
    ],
    programs: ['codex', '@openai/codex'],
  },
  {
    title: 'Gemini CLI',
    variables: ['GEMINI_CLI'],
    programs: ['gemini', '@google/gemini-cli'],
  },
  {
    title: 'qwen-code',
    variables: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'],
    programs: ['qwen', '@qwen-code/qwen-code'],
  },
  {
    title: 'opencode',
    variables: ['OPENCODE', 'OPENCODE_PID'],
    programs: ['opencode', 'opencode-ai'],
  },
  // not CURSOR_TRACE_ID, which its terminals for people have, too
  { title: 'Cursor', variables: ['CURSOR_AGENT'], programs: ['cursor-agent'] },
  { title: 'Copilot CLI', variables: ['COPILOT_CLI'], programs: ['copilot', '@github/copilot'] },
  { title: 'Cline', variables: ['CLINE_ACTIVE'], programs: ['cline'] },
  { title: 'an agent', variables: ['AI_AGENT', 'AGENT'], programs: [] },
]

/**
 * The agent in whose shell this runs, if any: by the variables that agents set, and on Linux by the processes around this
 * one, which keep their names and variables when a command unsets them or makes a terminal of its own.
 */
export function surroundingAgent({ env, ppid, platform }: Pick<Host, 'env' | 'ppid' | 'platform'>) {
  const here = agentIn((name) => Boolean(env[name]))
  if (here !== undefined || platform !== 'linux') return here
  let pid = ppid ?? 0
  for (let depth = 0; pid > 1 && depth < MAX_DEPTH; depth++) {
    const around = readProcess(pid)
    if (!around) return
    const { words, variables, parent } = around
    const found = agentIn((name) => variables.has(name), words)
    if (found !== undefined) return found
    pid = parent
  }
  return
}

// a shell in an editor in a session of a desktop has about ten above it
const MAX_DEPTH = 50

function agentIn(isSet: (name: string) => boolean, words: readonly string[] = []) {
  // the program, or what a runtime such as Node runs
  const paths = words.slice(0, 2)
  const isNamed = (program: string) =>
    paths.some((path) =>
      program.startsWith('@') ? path.includes(`/${program}/`) : nameOf(path) === program,
    )
  return AGENTS.find(({ variables, programs }) => variables.some(isSet) || programs.some(isNamed))
    ?.title
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function readProcess(pid: number) {
  try {
    const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
    const stat = read('stat')
    // the name of the program stands in parentheses, and may contain some
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const variables = attempt(() => read('environ')) ?? ''
    return {
      words: read('cmdline').split('\0'),
      variables: new Set(
        variables.split('\0').flatMap((entry) => {
          const at = entry.indexOf('=')
          return at > 0 && at < entry.length - 1 ? entry.slice(0, at) : []
        }),
      ),
      parent: Number(parent),
    }
  } catch {
    return
  }
}

/** Variables of other users' processes cannot be read. */
function attempt(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return
  }
}
