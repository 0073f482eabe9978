import { createGuard, type GuardOptions } from 'unloop'
import { presets } from 'unloop/presets'
import type { GuardSettings } from './settings.js'

/** What a guard takes, of settings that name a preset. */
export function toGuardOptions({ preset, ...options }: GuardSettings): GuardOptions {
  return preset === undefined ? options : { ...options, preset: presets[preset] }
}

/** Throws a `RangeError` if a guard cannot be told this. */
export function checkGuard(settings: GuardSettings): void {
  createGuard(toGuardOptions(settings))
}
