import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'

const example = fileURLToPath(new URL('../../../examples/redis.mjs', import.meta.url))

let redis: ChildProcess | undefined
afterEach(async () => {
  if (redis?.exitCode !== null) return
  redis.kill()
  await once(redis, 'exit')
})

it('any process goes on with any conversation, with guards in a real Redis', async () => {
  const port = await freePort()
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await ready(redis)
  const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${port}` }
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env })
  expect(stdout.match(/^Stopped: read_file was called/gm)).toHaveLength(2)
  expect(stdout).toMatch(/^\d+ guards are in Redis$/m)
})

async function ready({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('redis-server has no output')
  for await (const line of createInterface(stdout)) {
    if (line.includes('Ready to accept connections')) return
  }
  throw new Error('redis-server ended before it was ready')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
