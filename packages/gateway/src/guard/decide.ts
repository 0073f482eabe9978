import type { Finding } from 'unloop'
import { isFinal } from 'unloop/host'
import type { Actions, Outcome } from '../config/actions.js'
import type { Lane } from './lane.js'
import { freshFindings } from './show-request.js'

/** What happens to a request. */
export interface Decision {
  outcome: Outcome | 'go'
  /** why */
  finding?: Finding | undefined
  /** words for the model */
  advice: string[]
  /** findings that nobody has heard of yet, with what is done about each */
  found: { finding: Finding; outcome: Outcome }[]
}

/** Decides about the request that a lane was shown last. `budget` is a finding of its session. */
export function decide(lane: Lane, actions: Actions, budget: Finding | undefined): Decision {
  const { guard } = lane
  const fresh = [...freshFindings(lane), ...(budget ? [budget] : [])]
  const found = fresh.map((finding) => ({ finding, outcome: outcomeOf(finding, actions) }))
  const advice = [
    ...new Set(
      found.filter(({ outcome }) => outcome === 'nudge').map(({ finding }) => finding.advice),
    ),
  ]
  const worst = found.toSorted((a, b) => rank(b.finding) - rank(a.finding))[0]
  if (guard.stopped) {
    const finding = fresh.findLast(isFinal) ?? lane.why ?? lastFinal(lane) ?? BY_PERSON
    const outcome = actions.stop
    // a person who stops a session means it, also where loops are only observed
    const isAsked = finding === BY_PERSON && (outcome === 'observe' || outcome === 'nudge')
    return { outcome: isAsked ? 'respond' : outcome, finding, advice, found }
  }
  if (!worst) return { outcome: 'go', advice, found }
  return { ...worst, advice, found }
}

/** What ended the run, as long as the person has said nothing since. */
const lastFinal = ({ guard }: Lane): Finding | undefined => guard.findings.findLast(isFinal)

function outcomeOf({ action }: Finding, actions: Actions): Outcome {
  if (action === 'ask') return actions.stop
  // the message has ended; what is left to do is to tell the model
  if (action === 'cut') return actions.cut === 'observe' ? 'observe' : 'nudge'
  return actions[action]
}

const RANKS: Finding['action'][] = ['warn', 'cut', 'block', 'ask', 'stop']
const rank = ({ action }: Finding) => RANKS.indexOf(action)

/** In the place of a finding, where somebody ended the session. */
const BY_PERSON: Finding = {
  detector: 'person',
  kind: 'person',
  certainty: 'certain',
  detail: 'somebody stopped this session',
  advice: 'Do not go on.',
  identity: 'person',
  count: 1,
  period: 1,
  firstEvent: 0,
  lastEvent: 0,
  sample: '',
  strike: 1,
  action: 'stop',
  wasted: { events: 0, characters: 0 },
}
