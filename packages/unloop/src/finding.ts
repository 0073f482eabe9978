/** What a finding leads to, mildest first. */
export type Action = 'warn' | 'block' | 'cut' | 'ask' | 'stop'

/** How sure a finding is: `likely` leads to advice only, `certain` climbs the ladder. */
export type Certainty = 'likely' | 'certain'

/** A loop that was seen: what it is, how sure that is, what it cost and what to do about it. */
export interface Finding {
  /** name of the detector that found it */
  detector: string
  /** the kind of loop, more specific than the detector */
  kind: string
  /** `likely`: the agent is struggling; `certain`: it is stuck */
  certainty: Certainty
  /** for the person: what happened, with the numbers */
  detail: string
  /** for the model: what to do instead, in terms it can see */
  advice: string
  /** the name of this loop; the same loop seen again has the same name */
  identity: string
  /** how often the repeated thing occurred */
  count: number
  /** length of one lap: calls for calls, characters for text */
  period: number
  /** number of the event that started the loop, counted from 0 */
  firstEvent: number
  /** number of the event that revealed it */
  lastEvent: number
  /** the repeated thing, shortened */
  sample: string
  /** how many times this loop has been reported */
  strike: number
  action: Action
  /** what the loop has cost so far; tokens only if the events report them */
  wasted: { events: number; characters: number; tokens?: number }
  /** the repeated tool, if there is one */
  tool?: string
  /** the sub-agent that is stuck, if events name agents */
  agent?: string
}

/** Whether a finding ends the run. */
export const isFinal = ({ action }: Finding): boolean => action === 'ask' || action === 'stop'

/** A finding that does not come from a detector. */
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
