export {
  plural,
  showBytes,
  showCost,
  showCount,
  showMs,
  showPercent,
  showTokens,
} from './amounts.js'
export {
  CHOICES,
  type ChoiceContext,
  type ChoiceName,
  type ChoiceWords,
  type Chosen,
  choicesOf,
  describeChoice,
  wordsOf,
} from './choices.js'
export {
  type CallFate,
  describeCost,
  describeOutcome,
  describeState,
  type Fact,
  type FactName,
  type FactOptions,
  factsOf,
  STATES,
  type Told,
} from './findings.js'
export { inEnglish, type Translate } from './translate.js'
