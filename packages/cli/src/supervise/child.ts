import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Host } from '../host.js'
import { openPipe } from './pipe.js'
import { createDescendants, signal as send } from './processes.js'

/** How a command ended: by itself, or by a signal. */
export type Ending = { code: number } | { signal: NodeJS.Signals }

/** A command that was started, with all it starts itself. */
export interface Child {
  readonly stdout: Readable
  /** settles when the command is over, though others may still hold its output */
  readonly ended: Promise<Ending>
  /** Passes a signal on to its process group. */
  signal(name: NodeJS.Signals): void
  /** Ends it: gently first, and firmly after so much time. */
  end(graceMs: number): void
  /** Ends what it has left behind. */
  sweep(): void
  /** Ends everything at once, without waiting. */
  kill(): void
}

/** Why a command could not be started, and what a shell would exit with. */
export interface NotStarted {
  code: number
  reason: string
}

/** Starts a command in a process group of its own; its input and its errors are ours. */
export async function startChild(
  host: Host,
  [file = '', ...args]: readonly string[],
): Promise<Child | NotStarted> {
  const [name, value] = [`UNLOOP_RUN_${process.pid}`, randomBytes(8).toString('hex')]
  const isGroup = host.platform !== 'win32'
  const pipe = openPipe(host.platform)
  try {
    const child = spawn(file, args, {
      cwd: host.cwd(),
      env: { ...host.env, [name]: value },
      stdio: ['inherit', pipe?.descriptor ?? 'pipe', 'inherit'],
      detached: isGroup,
    })
    await once(child, 'spawn')
    // that a signal did not reach it shows by its not ending
    child.on('error', () => {})
    const stdout = pipe?.source ?? (child.stdout as Readable)
    return toChild(child, stdout, `${name}=${value}`, isGroup, host.platform)
  } catch (error) {
    pipe?.source.destroy()
    return whyNot(file, error as NodeJS.ErrnoException)
  } finally {
    // the command has its own
    if (pipe) closeSync(pipe.descriptor)
  }
}

function toChild(
  child: ChildProcess,
  stdout: Readable,
  mark: string,
  isGroup: boolean,
  platform: NodeJS.Platform,
): Child {
  const pid = child.pid as number
  const descendants = createDescendants(pid, mark, platform)
  const timers: NodeJS.Timeout[] = []
  let isOver = false

  function pass(name: NodeJS.Signals): void {
    // a child that was waited for has given its number back; its group may go on
    if (isGroup) send(-pid, name)
    else if (!isOver) child.kill(name)
  }

  function kill(): void {
    pass('SIGKILL')
    descendants.kill()
  }

  const ended = once(child, 'exit').then(([code, signal]): Ending => {
    isOver = true
    for (const timer of timers) clearTimeout(timer)
    return signal === null ? { code: code ?? 0 } : { signal }
  })

  return {
    stdout,
    ended,
    signal(name) {
      descendants.look()
      pass(name)
    },
    end(graceMs) {
      // there is no gentle way on Windows
      if (!isGroup) return void execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => {})
      descendants.look()
      // all five agents end on it; Claude Code prints its last line, with what the run has cost, on no other
      pass('SIGINT')
      timers.push(
        setInterval(descendants.look, LOOK_MS),
        setTimeout(() => pass('SIGTERM'), graceMs / 2),
        setTimeout(kill, graceMs),
      )
    },
    sweep: kill,
    kill,
  }
}

// an agent that is ending may start one more command
const LOOK_MS = 100

function whyNot(file: string, { code, message }: NodeJS.ErrnoException): NotStarted {
  if (code === 'ENOENT') return { code: 127, reason: `${file}: command not found` }
  if (code === 'EACCES') return { code: 126, reason: `${file} cannot be executed` }
  return { code: 126, reason: `${file} cannot be started: ${message}` }
}
