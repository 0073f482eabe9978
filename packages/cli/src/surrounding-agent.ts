import { readFileSync } from 'node:fs'
import type { Host } from './host.js'

/** What agents set for the commands that they run, and what their programs are called: of the first five as seen, of the others as published. */
const AGENTS: { title: string; variables: readonly string[]; programs: readonly string[] }[] = [
  {
    title: 'Claude Code',
    variables: ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_PID'],
    programs: [
      'claude',
      'claude.exe',
      '@anthropic-ai/claude-code',
      '@anthropic-ai/claude-agent-sdk',
    ],
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
  { title: 'an agent', variables: ['AI_AGENT'], programs: [] },
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

/** A process around this one, up to the nearest agent: what it was started with, and the agent it is. Only on Linux. */
export interface Around {
  words: readonly string[]
  agent: string | undefined
  /** its variables, when it was started */
  env(): NodeJS.ProcessEnv
}

/** The processes around this one, the nearest first, up to an agent; empty if there is none. */
export function upToAgent({ ppid, platform }: Pick<Host, 'ppid' | 'platform'>): Around[] {
  const around: Around[] = []
  let pid = platform === 'linux' ? (ppid ?? 0) : 0
  for (let depth = 0; pid > 1 && depth < MAX_DEPTH; depth++) {
    const path = `/proc/${pid}`
    const found = attempt(() => ({
      words: readFileSync(`${path}/cmdline`, 'utf8').split('\0'),
      parent: parentIn(readFileSync(`${path}/stat`, 'utf8')),
    }))
    if (!found) return []
    const agent = agentIn(() => false, found.words)
    const env = () => variablesIn(attempt(() => readFileSync(`${path}/environ`, 'utf8')) ?? '')
    around.push({ words: found.words, agent, env })
    if (agent !== undefined) return around
    pid = found.parent
  }
  return []
}

// a shell in an editor in a session of a desktop has about ten above it
const MAX_DEPTH = 50

function agentIn(isSet: (name: string) => boolean, words: readonly string[] = []) {
  // the program, or what a runtime such as Node runs: a script of the project may have the same name
  const [first = '', second = ''] = words
  const isNamed = (program: string) =>
    program.startsWith('@')
      ? [first, second].some((path) => path.includes(`/${program}/`))
      : nameOf(first) === program || (nameOf(second) === program && /\/\.?bin\//.test(second))
  return AGENTS.find(({ variables, programs }) => variables.some(isSet) || programs.some(isNamed))
    ?.title
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function readProcess(pid: number) {
  try {
    const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
    const variables = variablesIn(attempt(() => read('environ')) ?? '')
    return {
      words: read('cmdline').split('\0'),
      variables: new Set(Object.keys(variables)),
      parent: parentIn(read('stat')),
    }
  } catch {
    return
  }
}

/** The name of the program stands in parentheses, and may contain some. */
const parentIn = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])

const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\0').flatMap((entry) => {
      const at = entry.indexOf('=')
      return at > 0 && at < entry.length - 1 ? [[entry.slice(0, at), entry.slice(at + 1)]] : []
    }),
  )

/** Processes of other users cannot be read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return
  }
}
