import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The chat in a terminal of its own. */
export interface Terminal {
  pid(): number
  write(text: string): void
  /** Waits until what was written since the call has this in it; gives the milliseconds since then, or since the start. */
  until(wanted: RegExp): Promise<number>
  /** Waits until nothing more comes. */
  quiet(): Promise<void>
  /** Changes the size; gives the milliseconds until the screen is drawn for it. */
  resize(columns: number, rows: number): Promise<number>
  close(): Promise<void>
}

const DEADLINE_MS = 120_000
const QUIET_MS = 300
const command = fileURLToPath(import.meta.resolve('@unloop/cli/package.json')).replace(
  'package.json',
  'bin/unloop.js',
)

export function openTerminal(args: readonly string[], home = emptyHome()): Terminal {
  const words = [process.execPath, command, 'chat', ...args].map((word) => `'${word}'`).join(' ')
  const file = join(home, 'pid')
  const shell = `stty sane rows 40 cols 100; sh -c 'echo $$ >${file}; exec "$@"' sh ${words}`
  const startedAt = performance.now()
  const child = spawn('script', ['-qfc', shell, '/dev/null'], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      HOME: home,
      UNLOOP_HOME: join(home, 'unloop'),
      OPENAI_COMPATIBLE_API_KEY: 'none',
    },
  })
  let output = ''
  let lastAt = startedAt
  let isFirst = true
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    lastAt = performance.now()
    // a terminal tells where its cursor is
    if (text.includes('\x1b[6n')) child.stdin.write('\x1b[38;3R')
  })
  const pid = () => Number(readFileSync(file, 'utf8'))

  async function quiet() {
    while (performance.now() - lastAt < QUIET_MS) await pause(QUIET_MS / 10)
  }

  return {
    pid,
    write: (text) => void child.stdin.write(text),
    async until(wanted) {
      const from = isFirst ? 0 : output.length
      const since = isFirst ? startedAt : performance.now()
      isFirst = false
      while (!wanted.test(output.slice(Math.max(from, output.length - LONGEST)))) {
        if (performance.now() - since > DEADLINE_MS) throw new Error(`never seen: ${wanted}`)
        await pause(1)
      }
      return performance.now() - since
    },
    quiet,
    async resize(columns, rows) {
      const since = performance.now()
      const device = readlinkSync(`/proc/${pid()}/fd/0`)
      execFileSync('stty', ['-F', device, 'cols', String(columns), 'rows', String(rows)])
      while (lastAt < since) await pause(1)
      await quiet()
      return lastAt - since
    },
    async close() {
      child.kill()
      await new Promise((resolve) => child.once('close', resolve))
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

// a screen with all its colours
const LONGEST = 20_000

export const emptyHome = () => mkdtempSync(join(tmpdir(), 'unloop-bench-chat-'))
