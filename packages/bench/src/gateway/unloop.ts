import { fileURLToPath } from 'node:url'
import type { Candidate } from './candidates.js'
import { firstLine, startProgram, stopProgram } from './processes.js'

const COMMAND = fileURLToPath(import.meta.resolve('@unloop/cli/package.json')).replace(
  'package.json',
  'bin/unloop.js',
)

/** `unloop gateway`, as users start it. */
export async function startUnloop(
  name: string,
  upstream: string,
  args: readonly string[] = [],
): Promise<Candidate> {
  const all = [COMMAND, 'gateway', '--port', '0', '--upstream', `openai=${upstream}`, ...args]
  const child = startProgram(process.execPath, all)
  const url = await firstLine(child, (line) => {
    if (!line.includes('"listening"')) return undefined
    return JSON.parse(line).url as string
  })
  return {
    name,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    headers: {},
    stop: () => stopProgram(child),
  }
}
