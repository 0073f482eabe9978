import { constants } from 'node:os'
import type { ExitCode } from '../exit-code.js'
import type { Host } from '../host.js'

// all that would end us, except those that cannot be handled; Node keeps SIGUSR1 for its debugger
const PASSED = (
  'SIGHUP SIGINT SIGQUIT SIGTERM SIGUSR2 SIGALRM SIGVTALRM SIGPROF SIGXCPU SIGXFSZ SIGABRT SIGIO SIGSYS SIGTRAP ' +
  'SIGPWR SIGSTKFLT'
).split(' ') as NodeJS.Signals[]
const PASSED_ON_WINDOWS: NodeJS.Signals[] = ['SIGHUP', 'SIGINT', 'SIGTERM']

/** Calls back with every signal that asks us to end, and does not end; gives the way to end that. */
export function onSignals(host: Host, pass: (name: NodeJS.Signals) => void): () => void {
  const names = host.platform === 'win32' ? PASSED_ON_WINDOWS : PASSED
  const listeners = names.map((name) => [name, () => pass(name)] as const)
  for (const [name, listener] of listeners) host.on(name, listener)
  return () => {
    for (const [name, listener] of listeners) host.off(name, listener)
  }
}

// a shell that runs a script ends it if a command died of one of these, and not if the command only says so by its exit code
const DIED_OF = new Set<NodeJS.Signals>(['SIGHUP', 'SIGINT', 'SIGTERM'])

/** Ends us as the command was ended; gives the exit code of a shell where that is not usual. */
export async function dieOf(host: Host, name: NodeJS.Signals): Promise<ExitCode> {
  const code = 128 + (constants.signals[name] ?? 0)
  if (host !== process || !DIED_OF.has(name) || host.platform === 'win32') return code
  await Promise.all([host.stdout, host.stderr].map(flushed))
  process.kill(process.pid, name)
  return code
}

/** Waits until what was written has left us, or cannot. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) return resolve()
    stream.once('error', () => resolve())
    stream.once('close', () => resolve())
    stream.write('', () => resolve())
  })
