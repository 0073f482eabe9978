import type { Detector } from '../detector.js'
import { callFlood } from '../detectors/call-flood.js'
import { identicalCall } from '../detectors/identical-call.js'
import { textWindow } from '../detectors/text-window.js'
import type { Preset } from '../settings.js'

export { identicalCall } from '../detectors/identical-call.js'
export { textWindow } from '../detectors/text-window.js'
export type { Preset } from '../settings.js'

/** The programs whose rules are available. */
export type PresetName = 'gemini-cli' | 'qwen-code' | 'deepv'

// the strict rule alone, without our own limits
const never = Number.MAX_SAFE_INTEGER
const strictly = () => callFlood({ models: '*preview*', calls: never, hard: never })

/**
 * The rules of other programs, and nothing else; they stop at once.
 *
 * @example const guard = createGuard({ preset: presets['gemini-cli'] })
 */
export const presets: Readonly<Record<PresetName, Preset>> = {
  'gemini-cli': preset('gemini-cli', () => [identicalCall(), textWindow()]),
  'qwen-code': preset('qwen-code', () => [
    identicalCall(),
    textWindow({ distance: 75, history: 1000 }),
  ]),
  deepv: preset('deepv', () => [
    identicalCall({ limit: 10 }),
    textWindow({ count: 20 }),
    strictly(),
  ]),
}

/** The detectors that only the presets use, with their defaults. */
export const presetDetectors: readonly Detector[] = [identicalCall(), textWindow()]

function preset(name: PresetName, detectors: () => Detector[]): Preset {
  return { name, detectors }
}
