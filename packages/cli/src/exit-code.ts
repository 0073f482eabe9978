/** What the command ends with; a crash is never one of 0 to 4. */
export const EXIT = {
  quiet: 0,
  found: 1,
  misuse: 2,
  stoppedByLoop: 3,
  modelFailed: 4,
  ourError: 70,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT] | number

/** Something the person can put right: what is wrong, and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
