import type { Finding } from './finding.js'

// registered, so that two copies of this package recognize each other's errors
const MARK = Symbol.for('unloop.LoopError')

/** Thrown by `guard.assert()` if a loop stopped the run. */
export class LoopError extends Error {
  override readonly name = 'LoopError'
  readonly finding: Finding

  constructor(finding: Finding) {
    super(`${finding.detail} (${finding.detector})`)
    this.finding = finding
    Object.defineProperty(this, MARK, { value: true })
  }

  /** Whether this is a `LoopError`, from any copy of the package. */
  static is(error: unknown): error is LoopError {
    return typeof error === 'object' && error !== null && MARK in error
  }
}
