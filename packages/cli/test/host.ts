import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll } from 'vitest'
import type { Host } from '../src/host.js'
import { run } from '../src/run.js'

export interface RunOptions {
  stdin?: string | Readable
  env?: NodeJS.ProcessEnv
  cwd?: string
  isTerminal?: boolean
  /** the width of the terminal */
  columns?: number
}

export interface RunResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs the command as a process would, with streams of its own. */
export async function unloop(args: string[], options: RunOptions = {}): Promise<RunResult> {
  const { host, stdout, stderr } = createHost(args, options)
  const code = await run(host)
  return { code, stdout: stdout(), stderr: stderr() }
}

export function createHost(args: string[], options: RunOptions = {}) {
  const { stdin = '', env = {}, cwd = emptyFolder(), isTerminal = false, columns } = options
  const out = collect(isTerminal)
  if (columns !== undefined) Object.assign(out.stream, { columns })
  const err = collect(isTerminal)
  const listeners = new Map<string, () => void>()
  const host = {
    argv: ['node', 'unloop', ...args],
    env: { HOME: cwd, UNLOOP_PACE_MS: '0', ...env },
    platform: 'linux',
    stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [stdin]) : stdin,
    stdout: out.stream,
    stderr: err.stream,
    cwd: () => cwd,
    on: (signal: string, listener: () => void) => listeners.set(signal, listener),
    off: (signal: string) => listeners.delete(signal),
  } as unknown as Host
  return {
    host,
    stdout: out.text,
    stderr: err.text,
    signal: (name: string) => listeners.get(name)?.(),
  }
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own, gone after the tests of this file. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-cli-'))
  folders.push(folder)
  return folder
}

function collect(isTTY: boolean) {
  const chunks: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return {
    stream: Object.assign(stream, { isTTY }),
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}

/** The JSON objects of a text, one a line. */
export const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
