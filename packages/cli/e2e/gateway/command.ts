import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Running } from '../agents/lab.js'

const TOKEN = 'token-of-the-live-page'
const program = fileURLToPath(new URL('../../bin/unloop.js', import.meta.url))

/** `unloop gateway` as a process, on a free port. */
export interface GatewayCommand extends Running {
  /** what it logged, as JSON */
  lines: Record<string, unknown>[]
}

/** Starts the command in front of a provider and waits until it listens. */
export async function startCommand(
  provider: string,
  ...options: string[]
): Promise<GatewayCommand> {
  const args = ['gateway', '--port', '0', '--upstream', `local=${provider}`, ...options]
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UNLOOP_GATEWAY_TOKEN: TOKEN },
  })
  const lines: Record<string, unknown>[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(JSON.parse(line)))
  // it prints a line, or ends
  await Promise.race([once(reader, 'line'), once(child, 'close')])
  const { event, url } = lines[0] ?? {}
  if (event !== 'listening' || typeof url !== 'string')
    throw new Error(`unloop gateway did not start: ${JSON.stringify(lines)}`)
  return {
    url,
    lines,
    async close() {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      const [code] = await closed
      if (code !== 0) throw new Error(`unloop gateway ended with ${code}`)
    },
  }
}

/** What the live page shows. */
export async function readLive({ url }: GatewayCommand): Promise<{ sessions: unknown[] }> {
  const authorization = `Bearer ${TOKEN}`
  const answer = await fetch(`${url}/unloop/api/sessions`, { headers: { authorization } })
  return answer.json() as Promise<{ sessions: unknown[] }>
}

/** The value of a metric, over all its labels or those with this text. */
export async function readMetric(url: string, name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => new RegExp(`^unloop_gateway_${name}[ {]`).test(line) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
