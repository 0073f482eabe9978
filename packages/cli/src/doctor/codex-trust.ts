import { spawn } from 'node:child_process'
import { readLines } from '../lines.js'

/** Whether Codex runs a hook. It asks Codex itself, because trust is kept as a hash that only Codex can compute. */
export type CodexTrust = 'trusted' | 'untrusted' | 'unknown'

// it answers within a second
const LIMIT_MS = 10_000

/** Whether the person has trusted the hooks in these files. */
export async function codexTrust(
  program: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  paths: readonly string[],
): Promise<CodexTrust> {
  const child = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const timer = setTimeout(() => child.kill(), LIMIT_MS)
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  for (const message of requests(cwd)) child.stdin.write(`${JSON.stringify(message)}\n`)
  try {
    for await (const { text = '' } of readLines(child.stdout)) {
      const hooks = hooksIn(text)
      if (hooks) return trustIn(hooks, paths)
    }
    return 'unknown'
  } catch {
    return 'unknown'
  } finally {
    clearTimeout(timer)
    child.kill()
  }
}

const requests = (cwd: string) => [
  { id: 0, method: 'initialize', params: { clientInfo: { name: 'unloop', version: '0' } } },
  { method: 'initialized' },
  { id: 1, method: 'hooks/list', params: { cwds: [cwd] } },
]

interface Hook {
  sourcePath?: unknown
  trustStatus?: unknown
  command?: unknown
}

function hooksIn(line: string): Hook[] | undefined {
  try {
    const { id, result } = JSON.parse(line)
    return id === 1 ? result.data.flatMap(({ hooks }: { hooks: Hook[] }) => hooks) : undefined
  } catch {
    return
  }
}

function trustIn(hooks: readonly Hook[], paths: readonly string[]): CodexTrust {
  const ours = hooks.filter(
    ({ sourcePath, command }) =>
      paths.includes(String(sourcePath)) && String(command).endsWith('hook codex'),
  )
  if (ours.length === 0) return 'unknown'
  const isTrusted = ({ trustStatus }: Hook) =>
    trustStatus === 'trusted' || trustStatus === 'managed'
  return ours.every(isTrusted) ? 'trusted' : 'untrusted'
}
