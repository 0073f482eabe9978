import type { ClientEvent } from '@unloop/agent'
import { EXIT, type ExitCode } from '../exit-code.js'
import { never } from '../never.js'

/** The exit code of a headless chat that ends with this event; undefined if it continues. */
export function exitCodeOf(event: ClientEvent): ExitCode | undefined {
  switch (event.type) {
    case 'loop_detected':
      return EXIT.stoppedByLoop
    case 'error':
      return event.kind === 'configuration' ? EXIT.misuse : EXIT.modelFailed
    case 'finished':
      return event.reason === 'refused' ? EXIT.modelFailed : EXIT.quiet
    // the work is not done, and nothing says it would ever be
    case 'turn-limit':
      return EXIT.stoppedByLoop
    case 'prompt':
    case 'turn-start':
    case 'text':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
    case 'usage':
    case 'turn-end':
    case 'retry':
    case 'handoff':
    case 'compaction':
    case 'fault':
    case 'loop_warning':
      return
    default:
      return never(event)
  }
}
