/** What the gateway does about a finding. */
export type Outcome = 'respond' | 'error' | 'nudge' | 'observe'

/** What each step of the ladder leads to. */
export interface Actions {
  warn: Outcome
  block: Outcome
  cut: Outcome
  stop: Outcome
}

/** Names for sets of actions; `off` looks for nothing. */
export type Mode = Outcome | 'off'

/** What a rule or the whole configuration says about loops. */
export type OnLoop = Mode | Partial<Actions>

// a model that is told first may still recover; one that is stuck for certain costs money with each further call
const USUAL: Actions = { warn: 'nudge', block: 'respond', cut: 'respond', stop: 'respond' }

const MODES: Record<Mode, Actions | undefined> = {
  respond: USUAL,
  error: { ...USUAL, block: 'error', stop: 'error' },
  nudge: { ...USUAL, block: 'nudge' },
  observe: { warn: 'observe', block: 'observe', cut: 'observe', stop: 'observe' },
  off: undefined,
}

/** The actions of a setting; undefined if nothing is guarded. */
export const toActions = (onLoop: OnLoop): Actions | undefined =>
  typeof onLoop === 'string' ? MODES[onLoop] : { ...USUAL, ...onLoop }
