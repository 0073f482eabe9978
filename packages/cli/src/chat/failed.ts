import { ModelError } from '@unloop/agent'
import { EXIT, type ExitCode } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'
import { exitCodeOf } from './exit-code-of.js'

/** Says why there is no model for a chat; any other error is thrown again. */
export function failed(error: unknown, host: Host): ExitCode {
  if (!(error instanceof ModelError)) throw error
  const err = toOutput(host.stderr, host.env)
  err.line(`unloop: ${error.message}`)
  if (error.advice) err.line(error.advice)
  return exitCodeOf({ type: 'error', kind: error.kind, message: '', advice: '' }) ?? EXIT.misuse
}
