import { printable, toJson } from './printable.js'

/** What the command uses of a process; tests give it streams of their own. */
export interface Host {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  /** the process that started this one */
  readonly ppid?: number
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  cwd(): string
  on(event: HostEvent, listener: () => void): unknown
  /** Before all others that listen. */
  prependListener(event: HostEvent, listener: () => void): unknown
  off(event: HostEvent, listener: () => void): unknown
}

type HostEvent = NodeJS.Signals | 'uncaughtException' | 'exit'

/** A stream to write lines to, which may be closed by whoever reads it. */
export interface Output {
  readonly isColoured: boolean
  readonly isTerminal: boolean
  /** the reader is gone, as after `| head -1` */
  readonly isClosed: boolean
  /** why it cannot be written to, as when the disk is full */
  readonly problem: string | undefined
  /** Writes it as it is. */
  write(text: string): void
  /** Writes a line of text; nothing in it reaches a terminal as a command. */
  line(text?: string): void
  /** Writes a value as a line of JSON. */
  json(value: unknown): void
}

const outputs = new WeakMap<NodeJS.WriteStream, Output>()

/** The stream as an output; it never fails because its reader is gone. */
export function toOutput(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Output {
  const known = outputs.get(stream)
  if (known) return known
  let isClosed = false
  let problem: string | undefined
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isClosed = true
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') problem ??= error.message
  })
  const isTerminal = stream.isTTY === true
  const output: Output = {
    isTerminal,
    isColoured: isColourWanted(env, isTerminal),
    get isClosed() {
      return isClosed
    },
    get problem() {
      return problem
    },
    write(text) {
      if (!isClosed) stream.write(text)
    },
    line(text = '') {
      this.write(`${printable(text)}\n`)
    },
    json(value) {
      this.write(`${toJson(value)}\n`)
    },
  }
  outputs.set(stream, output)
  return output
}

/** Whether to colour: `NO_COLOR` forbids it, `FORCE_COLOR` asks for it, else terminals have it. */
function isColourWanted(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return isTerminal && env.TERM !== 'dumb'
}
