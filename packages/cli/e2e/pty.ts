import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bin, emptyHome } from './terminal.js'

/** The chat in a pseudo-terminal, byte for byte: what `tmux` would read first. */
export interface Pty {
  /** Types these bytes. */
  write(bytes: string | Uint8Array): void
  /** All the chat has written so far. */
  output(): string
  /** Waits until what was written since the call is as wanted; gives the milliseconds it took. */
  until(wanted: RegExp | ((written: string) => boolean), deadlineMs?: number): Promise<number>
  /** Waits until nothing was written for a while; gives when the last was. */
  quiet(): Promise<number>
  kill(signal: NodeJS.Signals): void
  /** Settles with the exit code of the chat; -1 if it was not the chat that ended. */
  readonly left: Promise<number>
  /** The settings of the terminal before the chat, and after it. */
  settings(): { before: string; after: string }
  close(): Promise<unknown>
}

const DEADLINE_MS = 40_000
// some frames
const QUIET_MS = 100

/** Opens the chat in a terminal of its own that keeps every byte: `script` is on every Debian. */
export function openPty(options: { node?: readonly string[]; env?: NodeJS.ProcessEnv } = {}): Pty {
  const home = emptyHome()
  const file = (name: string) => join(home, name)
  const node = [process.execPath, ...(options.node ?? []), bin, 'chat'].map(quote).join(' ')
  const shell = [
    'stty sane rows 40 cols 100',
    `stty -g >${file('before')}`,
    `sh -c ${quote(`echo $$ >${file('pid')}; exec ${node}`)}`,
    `echo $? >${file('code')}`,
    `stty -g >${file('after')}`,
  ].join('; ')
  const child = spawn('script', ['-qfc', shell, '/dev/null'], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      HOME: home,
      UNLOOP_HOME: file('unloop'),
      UNLOOP_PACE_MS: '0',
      ...options.env,
    },
  })
  let output = ''
  let lastAt = 0
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    lastAt = performance.now()
    tell()
  })
  // it may end while something is being typed
  child.stdin.on('error', () => {})
  let hasEnded = false
  const left = new Promise<number>((resolve) => {
    child.on('close', () => {
      hasEnded = true
      tell()
      resolve(existsSync(file('code')) ? Number(read('code')) : -1)
    })
  })
  const read = (name: string) => readFileSync(file(name), 'utf8').trim()

  return {
    left,
    output: () => output,
    write: (bytes) => void child.stdin.write(bytes),
    until(wanted, deadlineMs = DEADLINE_MS) {
      const from = output.length
      const start = performance.now()
      const isThere = typeof wanted === 'function' ? wanted : (text: string) => wanted.test(text)
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          listeners.delete(check)
          clearTimeout(timer)
          settle()
        }
        const fail = (why: string) =>
          end(() => reject(new Error(`${why} before ${wanted}: ${tail(output.slice(from))}`)))
        const check = () => {
          if (isThere(output.slice(from))) end(() => resolve(performance.now() - start))
          else if (hasEnded) fail('the chat ended')
        }
        const timer = setTimeout(() => fail('nothing more came'), deadlineMs)
        listeners.add(check)
        check()
      })
    },
    async quiet() {
      while (!hasEnded && performance.now() - lastAt < QUIET_MS) await pause(QUIET_MS / 4)
      return lastAt
    },
    kill: (signal) => void process.kill(Number(read('pid')), signal),
    settings: () => ({ before: read('before'), after: read('after') }),
    close() {
      child.kill()
      return left
    },
  }
}

const tail = (text: string) => JSON.stringify(text.slice(-2000))

const quote = (text: string) => `'${text.replace(/'/g, "'\\''")}'`
