export { isFinal } from '../finding.js'
export { createGuards, type GuardStore, type Guards, type GuardsOptions } from './guards.js'
export {
  type CallEvent,
  type Outcome,
  outcomeOf,
  type ResultEvent,
  type Run,
  runOf,
  type SeenCall,
  type Verdict,
} from './run.js'
