import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from 'redis'

const COLLECT = new URL('collect-garbage.mjs', import.meta.url).href
const PROGRAM = fileURLToPath(new URL('../../cli/bin/unloop.js', import.meta.url))
const TOKEN = 'token-of-the-live-page'

/** What runs beside a test; it is ended with it. */
export interface Running {
  child: ChildProcess
  kill(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

function toRunning(child: ChildProcess): Running {
  const exit = once(child, 'exit')
  return {
    child,
    kill: (signal) => void child.kill(signal),
    async stop() {
      // one that is stopped by a signal does not hear any other but this
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exit
    },
  }
}

const toClient = (url: string) => createClient({ url })
export type RedisClient = ReturnType<typeof toClient>

export interface Redis extends Running {
  url: string
  port: number
  client: RedisClient
  /** Starts it again at the same address, with nothing in it. */
  restart(): Promise<void>
}

/** Starts a Redis that keeps everything in memory. */
export async function startRedis(...args: string[]): Promise<Redis> {
  const port = await freePort()
  let running = toRunning(await spawnRedis(port, args))
  const url = `redis://127.0.0.1:${port}`
  const client = toClient(url)
  client.on('error', () => {})
  await client.connect()
  return {
    url,
    port,
    client,
    get child() {
      return running.child
    },
    kill: (signal) => running.kill(signal),
    async stop() {
      client.destroy()
      await running.stop()
    },
    async restart() {
      await running.stop()
      running = toRunning(await spawnRedis(port, args))
    },
  }
}

async function spawnRedis(port: number, args: string[]): Promise<ChildProcess> {
  const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', [...own, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    if (!line.includes('Ready to accept connections')) continue
    child.stdout.resume()
    return child
  }
  throw new Error('redis-server ended before it was ready')
}

export interface GatewayProcess extends Running {
  url: string
  /** the lines of its log */
  log: Record<string, unknown>[]
  /** The sum of a metric over its labels. */
  metric(name: string): Promise<number>
  // biome-ignore lint/suspicious/noExplicitAny: what the live page gets
  live(): Promise<any>
  /** Memory of the process when nothing is left to collect, in MB. */
  memory(): Promise<{ heapMb: number; residentMb: number }>
  /** Its exit code after SIGTERM. */
  end(): Promise<number | null>
}

/** Starts a gateway as users do. */
export async function startGatewayProcess(
  upstream: string,
  ...args: string[]
): Promise<GatewayProcess> {
  const names = ['openai', 'anthropic'].flatMap((name) => ['--upstream', `${name}=${upstream}`])
  const node = ['--expose-gc', '--import', COLLECT, PROGRAM]
  const child = spawn(process.execPath, [...node, 'gateway', '--port', '0', ...names, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UNLOOP_GATEWAY_TOKEN: TOKEN },
  })
  const exit = once(child, 'exit')
  const log: Record<string, unknown>[] = []
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => log.push(JSON.parse(line)))
  const listening = () => log.find(({ event }) => event === 'listening')
  while (!listening()) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}`)
    await Promise.race([once(lines, 'line'), exit])
  }
  const url = String(listening()?.url)
  return {
    ...toRunning(child),
    url,
    log,
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text()
      const pattern = new RegExp(`^unloop_gateway_${name}(?:\\{.*\\})? (\\S+)$`, 'gm')
      return [...text.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0)
    },
    async live() {
      const headers = { authorization: `Bearer ${TOKEN}` }
      return (await fetch(`${url}/unloop/api/sessions`, { headers })).json()
    },
    async memory() {
      const collected = () => log.filter(({ event }) => event === 'collected')
      const before = collected().length
      child.kill('SIGUSR2')
      await until(() => collected().length > before)
      const { heap, rss } = collected().at(-1) ?? {}
      return { heapMb: Number(heap) / 2 ** 20, residentMb: Number(rss) / 2 ** 20 }
    },
    async end() {
      child.kill('SIGTERM')
      // the usual drain takes longer
      const late = wait(20_000, [Number.NaN], { ref: false })
      const [code] = await Promise.race([exit, late])
      return code
    },
  }
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const from = performance.now()
  while (!(await isSo())) {
    if (performance.now() - from > ms) throw new Error(`not so after ${ms} ms: ${isSo}`)
    await wait(20)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
