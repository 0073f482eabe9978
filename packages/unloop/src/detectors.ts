import type { Detector } from './detector.js'
import { askedAgain } from './detectors/asked-again.js'
import { callCycle } from './detectors/call-cycle.js'
import { callFlood } from './detectors/call-flood.js'
import { chanting } from './detectors/chanting.js'
import { failing } from './detectors/failing.js'
import { paging } from './detectors/paging.js'
import { pingPong } from './detectors/ping-pong.js'
import { repeatedCall } from './detectors/repeated-call.js'
import { repeatedMessage } from './detectors/repeated-message.js'
import { repeatedThought } from './detectors/repeated-thought.js'
import { sameAnswer } from './detectors/same-answer.js'
import { scatteredCall } from './detectors/scattered-call.js'

/** Every built-in detector with its defaults, in the order of the docs; `unloop/presets` has those of other programs. */
export const detectors: readonly Detector[] = [
  repeatedCall(),
  callCycle(),
  scatteredCall(),
  sameAnswer(),
  askedAgain(),
  failing(),
  paging(),
  callFlood(),
  chanting(),
  repeatedMessage(),
  repeatedThought(),
  pingPong(),
]

/** The detectors of a guard without options. */
export const defaultDetectors = (): Detector[] =>
  detectors.filter(({ stage }) => stage === 'stable')
