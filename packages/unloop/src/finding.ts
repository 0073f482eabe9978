/** What a finding leads to, mildest first. */
export type Action = 'warn' | 'block' | 'cut' | 'ask' | 'stop'

/** How sure it is: what is likely leads to advice and no further, what is certain climbs the ladder. */
export type Certainty = 'likely' | 'certain'

/** One loop, seen: what it is, how sure, what it cost and what to do about it. */
export interface Finding {
  /** name of the detector that saw it */
  detector: string
  /** what kind of loop, finer than the detector's name */
  kind: string
  /** `likely`: the agent struggles; `certain`: it is stuck */
  certainty: Certainty
  /** for the person: what happened, with the numbers */
  detail: string
  /** for the model: what to do instead, naming only what it can see */
  advice: string
  /** stable name of this very loop; the same loop seen again has the same one */
  identity: string
  /** how often the repeated thing occurred */
  count: number
  /** length of one lap: calls for calls, characters for text */
  period: number
  /** number of the event with which the loop began, counted from 0 */
  firstEvent: number
  /** number of the event that showed it */
  lastEvent: number
  /** the repeated thing, shortened */
  sample: string
  /** how many times this loop has been reported */
  strike: number
  action: Action
  /** what the loop has cost so far; tokens where the events told */
  wasted: { events: number; characters: number; tokens?: number }
  /** the tool that was called again, where there is one */
  tool?: string
  /** the sub-agent that is stuck, where events name agents */
  agent?: string
}

/** Whether a finding ends the run. */
export const isFinal = ({ action }: Finding): boolean => action === 'ask' || action === 'stop'

/** A finding that no detector made. */
export const findingOf = (
  detector: string,
  kind: string,
  detail: string,
  advice: string,
  at = 0,
): Finding => ({
  detector,
  kind,
  certainty: 'certain',
  detail,
  advice,
  identity: detector,
  count: 1,
  period: 1,
  firstEvent: at,
  lastEvent: at,
  sample: '',
  strike: 1,
  action: 'stop',
  wasted: { events: 0, characters: 0 },
})
