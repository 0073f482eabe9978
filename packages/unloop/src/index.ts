export type { Budget } from './budget.js'
export {
  type Detector,
  type DetectorContext,
  type DetectorDefinition,
  type DetectorFactory,
  type DetectorReport,
  defineDetector,
  type Pressure,
} from './detector.js'
export { askedAgain } from './detectors/asked-again.js'
export { callCycle } from './detectors/call-cycle.js'
export { callFlood } from './detectors/call-flood.js'
export { chanting } from './detectors/chanting.js'
export { failing } from './detectors/failing.js'
export { paging } from './detectors/paging.js'
export { pingPong } from './detectors/ping-pong.js'
export { repeatedCall } from './detectors/repeated-call.js'
export { repeatedMessage } from './detectors/repeated-message.js'
export { repeatedThought } from './detectors/repeated-thought.js'
export { sameAnswer } from './detectors/same-answer.js'
export { scatteredCall } from './detectors/scattered-call.js'
export { defaultDetectors, detectors } from './detectors.js'
export type { AgentEvent, AgentEventType } from './event.js'
export type { Fault } from './fault.js'
export type { Action, Certainty, Finding } from './finding.js'
export { createGuard, type Guard } from './guard.js'
export { DEFAULT_LADDER, type Ladder } from './ladder/ladder.js'
export { LoopError } from './loop-error.js'
export type { DetectorOptions } from './options.js'
export type { Explanation } from './panel.js'
export { callKey } from './reading/call-key.js'
export type { Effect } from './reading/effect.js'
export { redact } from './reading/redact.js'
export type { GuardMode, GuardOptions } from './settings.js'
export type { Snapshot } from './state/snapshot.js'
export { guardStream, type LoopDetected, type LoopWarning } from './stream.js'
export type { ToolOptions } from './tool-options.js'
