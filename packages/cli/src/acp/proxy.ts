import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { createRelay, type Relay } from './relay.js'
import { createTraffic, type TrafficPort } from './traffic.js'
import { warmUp } from './warm-up.js'
import { faultLine } from './words.js'

/** Starts the agent and stands between it and the editor until it has ended; gives its exit code. */
export async function runProxy(
  host: Host,
  [program = '', ...args]: readonly string[],
  createGuard: TrafficPort['createGuard'],
  report: (words: string) => void,
): Promise<number> {
  const { stdin, stdout } = host
  warmUp()
  const child = spawn(program, args, {
    cwd: host.cwd(),
    env: host.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const signals = passSignals(host, (signal) => child.kill(signal))
  try {
    await once(child, 'spawn').catch((error: Error) => {
      throw new UsageError(
        `cannot start ${program}: ${error.message}; is it installed and on your PATH?`,
      )
    })
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    const relays: { toAgent?: Relay; toEditor?: Relay } = {}
    const { editor, agent } = createTraffic(
      {
        toClient: (line) => relays.toEditor?.insert(line),
        toAgent: (line) => relays.toAgent?.insert(line),
        createGuard,
        report: (error) => report(faultLine(error instanceof Error ? error.message : `${error}`)),
      },
      host.cwd(),
    )
    relays.toAgent = createRelay(stdin, child.stdin, editor)
    relays.toEditor = createRelay(child.stdout, stdout, agent)
    relays.toAgent.done.then(() => child.stdin.end())
    const [code, signal] = await closed
    await relays.toEditor.done
    return code ?? 128 + (signal ? constants.signals[signal] : 0)
  } finally {
    signals.stop()
    stdin.destroy()
  }
}

/** Hands signals on to the agent, which decides how to end. */
function passSignals(host: Host, pass: (signal: NodeJS.Signals) => void) {
  const listeners = SIGNALS.map((signal) => {
    const listener = () => pass(signal)
    host.on(signal, listener)
    return () => host.off(signal, listener)
  })
  return {
    stop() {
      for (const remove of listeners) remove()
    },
  }
}

const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
