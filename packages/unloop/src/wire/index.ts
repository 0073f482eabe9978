export { createEarlyCalls } from '../adapters/ai-sdk/early.js'
export type { Asked, Dialect, Result } from '../adapters/shared/exchange.js'
export { type Heard, newWords, startHeard } from '../adapters/shared/words.js'
export { BUDGET, type Budget, overspent, type Spent, startSpent } from '../budget.js'
export { nextName, type Place, placeOf, requestAt } from '../host/lineage.js'
export { splitPast } from '../host/resume.js'
export {
  callsWith,
  catchUp,
  hasFound,
  isReport,
  requestsOf,
  settleRound,
  showCall,
  showResult,
} from '../host/run.js'
export { DEFAULT_LADDER, type Ladder } from '../ladder/ladder.js'
export { findProtocol, type Protocol, type ProtocolName } from './protocol.js'
