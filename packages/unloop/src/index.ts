export { callKey } from './call-key.js'
export {
  type Context,
  type Detector,
  type DetectorDefinition,
  type DetectorFactory,
  defineDetector,
  type Options,
  type Pressure,
  type Report,
} from './detector.js'
export { callCycle } from './detectors/call-cycle.js'
export { callFlood } from './detectors/call-flood.js'
export { chanting } from './detectors/chanting.js'
export { failing } from './detectors/failing.js'
export { identicalCall } from './detectors/identical-call.js'
export { paging } from './detectors/paging.js'
export { pingPong } from './detectors/ping-pong.js'
export { repeatedCall } from './detectors/repeated-call.js'
export { repeatedMessage } from './detectors/repeated-message.js'
export { repeatedThought } from './detectors/repeated-thought.js'
export { sameAnswer } from './detectors/same-answer.js'
export { scatteredCall } from './detectors/scattered-call.js'
export { textWindow } from './detectors/text-window.js'
export { defaultDetectors, detectors } from './detectors.js'
export type { Effect } from './effect.js'
export type { AgentEvent, AgentEventType } from './event.js'
export type { Fault } from './fault.js'
export type { Action, Certainty, Finding } from './finding.js'
export { createGuard, type Explanation, type Guard } from './guard.js'
export {
  type Ask,
  createJudge,
  type Judge,
  type JudgeCheck,
  type JudgeOptions,
  type JudgeRequest,
  type Message,
  type Opinion,
} from './judge.js'
export { DEFAULT_LADDER, type Ladder } from './ladder.js'
export { LoopError } from './loop-error.js'
export { type PresetName, presets } from './presets.js'
export { redact } from './redact.js'
export type { GuardOptions, ToolOptions } from './settings.js'
export type { Snapshot } from './snapshot.js'
export { guardStream, type LoopDetected, type LoopWarning } from './stream.js'
