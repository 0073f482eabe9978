import type { Detector } from './detector.js'
import { callFlood } from './detectors/call-flood.js'
import { identicalCall } from './detectors/identical-call.js'
import { textWindow } from './detectors/text-window.js'

/** Every detector with its defaults, in the order of the table in the README. */
export const detectors: readonly Detector[] = [identicalCall(), callFlood(), textWindow()]

/** The detectors of a guard that was told nothing. */
export const defaultDetectors = (): Detector[] => [identicalCall(), textWindow()]
