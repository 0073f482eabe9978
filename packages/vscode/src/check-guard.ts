import { createGuard, type GuardOptions } from 'unloop'

/** Throws a `RangeError` if a guard cannot be told this. */
export function checkGuard(options: GuardOptions): void {
  createGuard(options)
}
