import { spawnSync } from 'node:child_process'
import { accepting, freePort, startProgram, stopProgram } from './processes.js'

export interface Redis {
  url: string
  version: string
  pid: number
  /** bytes that it occupies, and bytes of all keys of the gateway */
  usedBytes(): number
  keyBytes(): number
  /** commands so far, those that measure left out */
  commands(): number
  stop(): Promise<void>
}

/** A Redis that keeps everything in memory; undefined if it is not installed. */
export async function startRedis(): Promise<Redis | undefined> {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const port = await freePort()
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = startProgram('redis-server', options)
  await accepting(port, child)
  const ask = (args: string[], input = '') => {
    const all = ['-h', '127.0.0.1', '-p', `${port}`, ...args]
    return spawnSync('redis-cli', all, { input, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout
  }
  const info = (section: string, field: string) =>
    Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(ask(['info', section]))?.[1])
  return {
    url: `redis://127.0.0.1:${port}`,
    version: /v=(\S+)/.exec(stdout)?.[1] ?? '',
    pid: child.pid ?? 0,
    usedBytes: () => info('memory', 'used_memory'),
    keyBytes: () => {
      const keys = ask(['--scan', '--pattern', 'unloop:*']).trim().split('\n')
      const answers = ask([], keys.map((key) => `memory usage "${key}"\n`).join(''))
      return answers.split('\n').reduce((sum, line) => sum + (Number(line) || 0), 0)
    },
    commands: () => info('stats', 'total_commands_processed'),
    stop: () => stopProgram(child),
  }
}
