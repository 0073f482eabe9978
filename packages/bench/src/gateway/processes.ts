// Everything the bench starts, it stops: programs of others get a signal, our own children end with the channel to us.
import { type ChildProcess, type ForkOptions, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STOP_MS = 5000
const START_MS = 30_000
const running = new Set<ChildProcess>()
const folders: string[] = []

/** A folder that is removed when this process ends. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-bench-gateway-'))
  folders.push(folder)
  return folder
}

/** A program of its own, killed at the latest when this process ends. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  keep(child)
  return child
}

/** One of our own `*-child.js`. */
export function startChild(
  name: string,
  args: readonly string[] = [],
  options: ForkOptions = {},
): ChildProcess {
  const child = fork(fileURLToPath(new URL(`${name}.js`, import.meta.url)), args, options)
  keep(child)
  return child
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(timer)
}

/** The first line on its stdout that `read` accepts, as what `read` made of it. */
export async function firstLine<T>(
  child: ChildProcess,
  read: (line: string) => T | undefined,
): Promise<T> {
  let text = ''
  let complaint = ''
  child.stderr?.on('data', (piece) => {
    complaint = (complaint + piece).slice(-2000)
  })
  return new Promise<T>((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`${child.spawnargs.join(' ')} ${why}\n${complaint}`))
    const timer = setTimeout(fail, START_MS, 'did not start in time')
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`ended with ${code}`))
    child.stdout?.on('data', function look(piece) {
      text += piece
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const found = read(line)
        if (found === undefined) continue
        clearTimeout(timer)
        child.stdout?.off('data', look)
        // what it goes on to say is of no interest, but must not fill the pipe
        child.stdout?.resume()
        resolve(found)
        return
      }
    })
  })
}

/** Waits until a program accepts connections. */
export async function accepting(port: number, child: ChildProcess): Promise<void> {
  child.stdout?.resume()
  child.stderr?.resume()
  const end = Date.now() + START_MS
  while (Date.now() < end) {
    if (child.exitCode !== null)
      throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${child.spawnargs.join(' ')} accepts no connections`)
}

/** A port that nobody listens on, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Milliseconds of CPU that a process and its children have used so far; NaN where there is no /proc. */
export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // after the name in brackets, user and system time are the 12th and 13th field, in ticks of 10 ms
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const own = (Number(fields[11]) + Number(fields[12])) * 10
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
    return (
      own + children.split(' ').reduce((sum, id) => sum + (id === '' ? 0 : cpuMs(Number(id))), 0)
    )
  } catch {
    return Number.NaN
  }
}

/** Megabytes of memory that a process occupies; NaN where there is no /proc. */
export const residentMb = (pid: number): number => memoryOf(pid, 'VmRSS')

/** The same at its worst so far. */
export const peakMb = (pid: number): number => memoryOf(pid, 'VmHWM')

function memoryOf(pid: number, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

function keep(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

process.once('exit', () => cleanUp('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    cleanUp('SIGTERM')
    process.kill(process.pid, signal)
  })
}

function cleanUp(signal: NodeJS.Signals): void {
  for (const child of running) child.kill(signal)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
