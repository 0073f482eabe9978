import { type ChildProcess, spawn } from 'node:child_process'
import { createClip } from './clip.js'

export interface Outcome {
  /** the name of the signal for a program that was killed by one */
  code: number | string
  output: string
  /** whether the time limit ended it */
  stopped: boolean
}

// what a program has written when it exits arrives at once, unless something it started still holds the pipe
const LINGER_MS = 500

/** Runs a program in a process group of its own, of which nothing is left when it is over. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, limitMs, signal }: { cwd: string; limitMs: number; signal: AbortSignal },
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = spawn(program, args, {
      cwd,
      env: environment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const clip = createClip()
    child.stdout.setEncoding('utf8').on('data', clip.add)
    child.stderr.setEncoding('utf8').on('data', clip.add)
    let stopped = false
    const timers = [
      setTimeout(() => {
        stopped = true
        killGroup(child)
      }, limitMs),
    ]
    const abort = () => killGroup(child)
    signal.addEventListener('abort', abort, { once: true })
    const settle = () => {
      signal.removeEventListener('abort', abort)
      timers.forEach(clearTimeout)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      settle()
      reject(new Error(`${error.code === 'ENOENT' ? 'no such program' : error.code}: ${program}`))
    })
    child.once('exit', () => {
      timers.push(
        setTimeout(() => {
          child.stdout.destroy()
          child.stderr.destroy()
        }, LINGER_MS),
      )
    })
    child.once('close', (code, killedBy) => {
      settle()
      killGroup(child)
      if (signal.aborted) reject(signal.reason)
      else resolve({ code: code ?? killedBy ?? 'unknown', output: clip.toString(), stopped })
    })
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    // a negative id is the whole group, which Windows does not have
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // the group has no members left
  }
}

/** Ours, with which Git takes no folder for a repository because of the files in it: its settings could name programs. */
function environment(): NodeJS.ProcessEnv {
  const count = Number(process.env.GIT_CONFIG_COUNT ?? 0)
  return {
    ...process.env,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  }
}
