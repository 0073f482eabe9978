import type { Host } from '../host.js'
import { GIVE, TAKE } from './hold-terminal.js'

/** What draws on the terminal. */
export interface SuspendedView {
  /** Lets somebody else write to the terminal. */
  release(): void
  /** Draws again, after that. */
  restore(): void
}

// longer than a signal takes to arrive
const IGNORED_MS = 200

/**
 * Suspends the whole job, as Ctrl+Z does in other programs: the shell gets its terminal back, and when the job is
 * continued the chat is drawn below what was written meanwhile. On Windows, which has no jobs, nothing happens.
 */
export function suspend(host: Host, view: SuspendedView): void {
  if (host.platform === 'win32') return
  const goOn = () => {
    host.off('SIGCONT', goOn)
    clearTimeout(timer)
    host.stdin.setRawMode(true)
    host.stdout.write(TAKE)
    view.restore()
  }
  // where no shell could continue us, the system does not suspend us either
  const timer = setTimeout(goOn, IGNORED_MS)
  host.on('SIGCONT', goOn)
  view.release()
  host.stdin.setRawMode(false)
  host.stdout.write(GIVE)
  // the job: whoever started us and waits for us is part of it
  process.kill(0, 'SIGTSTP')
}
