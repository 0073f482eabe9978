export type { AgentLog } from '../rounds/log.js'
export type { Round } from '../rounds/round.js'
export {
  areNew,
  isAchievement,
  isBatch,
  isChange,
  isFailure,
  isProgress,
  isSameAnswer,
  isSpoken,
  isWaiting,
  lastWhile,
  longestWait,
  patientLimit,
  toPressure,
  waitLimit,
} from '../rounds/rounds.js'
export { defineRowDetector, type Row, type RowDefinition } from '../row.js'
