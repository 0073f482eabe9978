/** Whether findings are acted on, only recorded, or not looked for. */
export type GuardMode = 'enforce' | 'observe' | 'off'

export const GUARD_MODES: readonly GuardMode[] = ['enforce', 'observe', 'off']

export const isGuardMode = (value: unknown): value is GuardMode =>
  GUARD_MODES.includes(value as GuardMode)

/** What a mode must be, and what was given instead: for the end of an error message. */
export const guardModeProblem = (value: unknown): string =>
  `must be one of ${GUARD_MODES.join(', ')}; got ${JSON.stringify(value)}${
    value === 'on' ? ', which is now called "enforce"' : ''
  }`

/** Throws a `RangeError` for anything but a mode. */
export function checkGuardMode(value: unknown): GuardMode {
  if (isGuardMode(value)) return value
  throw new RangeError(`guardMode ${guardModeProblem(value)}`)
}

/** The mode of a conversation that was saved; one from an earlier version is guarded. */
export const savedGuardMode = (value: unknown): GuardMode =>
  isGuardMode(value) ? value : 'enforce'
