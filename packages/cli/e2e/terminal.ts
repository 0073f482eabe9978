import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'

const exec = promisify(execFile)

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const bin = join(root, 'packages/cli/bin/unloop.js')

export interface TerminalOptions {
  args?: string[]
  env?: Record<string, string>
  /** what is run instead of the command */
  command?: string
  columns?: number
  rows?: number
  home?: string
}

/** A real terminal with the command in it. */
export interface Terminal {
  home: string
  /** Presses keys by their names in tmux, each in a read of its own. */
  press(...keys: string[]): Promise<void>
  /** Types a text as it is. */
  type(text: string): Promise<void>
  /** Types a line and sends it. */
  send(line: string): Promise<void>
  paste(text: string): Promise<void>
  resize(columns: number, rows: number): Promise<void>
  /** Gives it one width after the other at once, as a person who drags its edge does. */
  drag(columns: readonly number[], rows: number): Promise<void>
  /** Changes the size, and waits until the chat has drawn for it all that is on the screen. */
  redraw(columns: number, rows: number): Promise<void>
  /** What is on the screen, with what has scrolled off it; `joined` if lines that the terminal has broken are wanted whole. */
  screen(options?: { colours?: boolean; visible?: boolean; joined?: boolean }): Promise<string>
  /** Waits until the screen shows it. */
  until(wanted: string | RegExp | ((screen: string) => boolean)): Promise<string>
  /** Ends the command as if the machine had lost power, or by another signal. */
  kill(signal?: NodeJS.Signals): void
  close(): Promise<void>
}

// generous: two cores run several of these at once
const DEADLINE_MS = 40_000
const POLL_MS = 40
const LEAVE_MS = 5000
// once the size stays as it is, the chat asks where the cursor is; what it draws next is for that size
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
const REDRAWN = /\x1b\[6n[\s\S]*\x1b\[\?2026l/
let count = 0

const homes: string[] = []
afterAll(() => {
  // what was killed a moment ago may still be writing
  for (const home of homes) rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

/** A home directory of its own, gone after the tests of this file. */
export function emptyHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'unloop-e2e-'))
  homes.push(home)
  return home
}

/** Starts the command in a terminal of its own and waits for nothing. */
export async function open(options: TerminalOptions = {}): Promise<Terminal> {
  const { args = [], env = {}, columns = 100, rows = 40, home = emptyHome() } = options
  const socket = `unloop-${process.pid}-${count++}`
  const pidFile = join(home, 'pid')
  const command = options.command ?? [process.execPath, bin, 'chat', ...args].map(quote).join(' ')
  const shell = `sh -c ${quote(`echo $$ >${quote(pidFile)}; exec ${command}`)}; echo "left with $?"; exec cat`
  // what the tests run in must not decide what they see
  const clean = {
    PATH: process.env.PATH ?? '',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    HOME: home,
    UNLOOP_HOME: join(home, 'unloop'),
    UNLOOP_PACE_MS: '0',
    ...env,
  }
  const tmux = async (...words: string[]) => {
    const all = ['-u', '-L', socket, '-f', '/dev/null', ...words]
    return (await exec('tmux', all, { env: clean, cwd: home, maxBuffer: 2 ** 24 })).stdout
  }
  const pidOf = () => Number(readFileSync(pidFile, 'utf8'))
  const isRunning = () => {
    try {
      return process.kill(pidOf(), 0)
    } catch {
      return false
    }
  }
  const size = ['-x', String(columns), '-y', String(rows)]
  // how much a terminal keeps is decided when it is opened
  const limit = ['start-server', ';', 'set-option', '-g', 'history-limit', '20000', ';']
  await tmux(...limit, 'new-session', '-d', ...size, '-c', home, shell)

  async function screen({ colours = false, visible = false, joined = false } = {}) {
    const all = visible ? [] : ['-S', '-']
    const looks = [...(colours ? ['-e'] : []), ...(joined ? ['-J'] : [])]
    return tmux('capture-pane', '-p', ...looks, ...all)
  }

  async function until(wanted: Parameters<Terminal['until']>[0]): Promise<string> {
    const isThere =
      typeof wanted === 'function'
        ? wanted
        : (text: string) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))
    const end = Date.now() + DEADLINE_MS
    for (;;) {
      const text = await screen()
      if (isThere(text)) return text
      if (Date.now() > end) throw new Error(`the screen never showed ${wanted}:\n${text}`)
      await pause(POLL_MS)
    }
  }

  const terminal: Terminal = {
    home,
    screen,
    until,
    async press(...keys) {
      for (const key of keys) await tmux('send-keys', key)
    },
    async type(text) {
      await tmux('send-keys', '-l', text)
    },
    async send(line) {
      await terminal.type(line)
      // the line is there before it is sent, so that no key is lost
      await until(`> ${line}`)
      await terminal.press('Enter')
    },
    async paste(text) {
      await tmux('set-buffer', text)
      await tmux('paste-buffer', '-p')
    },
    async resize(columns, rows) {
      await tmux('resize-window', '-x', String(columns), '-y', String(rows))
    },
    async drag(columns, rows) {
      const steps = columns.map((one) => ['resize-window', '-x', String(one), '-y', String(rows)])
      await tmux(...steps.flatMap((step, at) => (at > 0 ? [';', ...step] : step)))
    },
    async redraw(columns, rows) {
      const file = join(home, 'written')
      writeFileSync(file, '')
      await tmux('pipe-pane', '-O', `exec cat >>${quote(file)}`)
      await terminal.resize(columns, rows)
      const end = Date.now() + DEADLINE_MS
      while (!REDRAWN.test(readFileSync(file, 'utf8'))) {
        if (Date.now() > end) throw new Error(`it was never drawn for ${columns} by ${rows}`)
        await pause(POLL_MS)
      }
      await tmux('pipe-pane')
    },
    kill(signal = 'SIGKILL') {
      process.kill(pidOf(), signal)
    },
    async close() {
      await tmux('kill-server').catch(() => {})
      // it saves what it has and takes its leave; what it writes until then may not be removed under its hands
      for (let left = LEAVE_MS / POLL_MS; left > 0 && isRunning(); left--) await pause(POLL_MS)
    },
  }
  return terminal
}

const quote = (text: string) => `'${text.replace(/'/g, "'\\''")}'`
