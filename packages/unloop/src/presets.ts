import type { Detector } from './detector.js'
import { callFlood } from './detectors/call-flood.js'
import { identicalCall } from './detectors/identical-call.js'
import { textWindow } from './detectors/text-window.js'

/** The rules of a system people know, and no others; they stop at once. */
export type PresetName = 'gemini-cli' | 'qwen-code' | 'deepv'

// the strict rule alone, without the budgets of our own guard
const never = Number.MAX_SAFE_INTEGER
const strictly = () => callFlood({ models: 'preview', response: never, soft: never, hard: never })

/** The detectors of each preset. */
export const presets: Record<PresetName, () => Detector[]> = {
  'gemini-cli': () => [identicalCall(), textWindow()],
  'qwen-code': () => [identicalCall(), textWindow({ distance: 75, history: 1000 })],
  deepv: () => [identicalCall({ limit: 10 }), textWindow({ count: 20 }), strictly()],
}
