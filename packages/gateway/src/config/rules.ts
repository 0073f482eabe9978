import type { Actions } from './actions.js'
import type { Config, SessionBudget } from './config.js'

/** What a rule can match. */
export interface Request {
  upstream: string
  path: string
  model: string
  /** the hashes of its keys, in hexadecimal */
  keys: readonly string[]
}

/** What counts for one request: the first rule that matches, and the rest of the configuration. */
export function policyOf(
  { rules, actions, budget }: Config,
  { upstream, path, model, keys }: Request,
): { actions: Actions | undefined; budget: SessionBudget } {
  const rule = rules.find(
    ({ match }) =>
      (match.upstream === undefined || match.upstream === upstream) &&
      (match.path?.test(path) ?? true) &&
      (match.model?.test(model) ?? true) &&
      (match.key === undefined || keys.some((key) => key.startsWith(match.key as string))),
  )
  return {
    actions: rule?.actions ? rule.actions.value : actions,
    budget: rule?.budget ?? budget,
  }
}
