import type { ExitCode } from '../exit-code.js'
import type { Host } from '../host.js'

// the number of each; a program that one has ended has 128 more as its code
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** Calls back with the exit code of a signal that asks us to end; gives the way to end that. */
export function onSignal(host: Host, listener: (code: ExitCode) => void): () => void {
  const listeners = Object.entries(SIGNALS).map(
    ([signal, number]) => [signal as keyof typeof SIGNALS, () => listener(128 + number)] as const,
  )
  for (const [signal, each] of listeners) host.on(signal, each)
  return () => {
    for (const [signal, each] of listeners) host.off(signal, each)
  }
}
