import type { AgentEvent, AgentEventType } from './event.js'
import type { Certainty } from './finding.js'
import { checkOptions, type DetectorOptions } from './options.js'
import type { AgentLog } from './rounds/log.js'

/** What a detector says of a loop; the guard adds the rest of a `Finding`. */
export interface DetectorReport {
  kind: string
  /** `certain` if not given */
  certainty?: Certainty
  detail: string
  /** names this very loop; equal for the same loop seen again */
  identity: string
  count: number
  period: number
  firstEvent: number
  sample: string
  /** the tool that was called again */
  tool?: string
  /** all tools that were called again, where it was not one */
  tools?: readonly string[]
  /** keys of the calls that make up the loop: the guard knows them when they come again */
  keys?: readonly number[]
  /** what this loop leads to, where it differs from the detector's usual advice */
  advice?: string
  /** which steps of the ladder it takes, where they are not the detector's */
  plane?: 'calls' | 'text'
  /** several agents make it up, none of them alone */
  isEverybody?: boolean
  /** characters the loop has produced so far, where it is made of text */
  characters?: number
}

/** Who reports, as far as the guard has to know. */
export type Finder = Pick<Detector, 'name' | 'advice' | 'plane'> & Partial<Pick<Detector, 'stage'>>

/** How near a detector is to a finding, and why not nearer. */
export interface Pressure {
  /** 0: nothing; 1: a finding */
  pressure: number
  /** the count that matters most now */
  count: number
  /** the count at which it would be a finding, or the next one after advice was given */
  limit: number
  /** what that finding would be; `certain` if not given */
  certainty?: Certainty
  /** why a repeat was let pass */
  excuse?: string
}

/** What a detector may look at besides its own state. */
export interface DetectorContext<O> {
  readonly options: O
  /** what this agent did so far: its steps, its messages */
  readonly log: Readonly<AgentLog>
  /** number of this event, counted from 0 */
  readonly number: number
}

/** A detector as its file declares it: data and a few small functions. */
export interface DetectorDefinition<S, O extends DetectorOptions> {
  /** also the stem of its source, its test and its page */
  name: string
  /** one line for tables: what it finds */
  finds: string
  /** for the model: what to do instead */
  advice: string
  /** `stable` is on by default, `trial` is not, `reference` is there for the presets */
  stage: 'stable' | 'trial' | 'reference'
  /** which steps of the ladder its findings take */
  plane: 'calls' | 'text'
  /** the events it wants to see; no others reach it */
  on: readonly AgentEventType[]
  /** of these only such as complete a round */
  rounds?: boolean
  /** every setting with its default */
  options: O
  /** throws a `RangeError` for settings that are of the right type but make no sense */
  check?(options: O): void
  /** the state at the beginning of a prompt: bounded, and plain unless there is `save` */
  start(options: O): S
  observe(state: S, event: AgentEvent, context: DetectorContext<O>): DetectorReport | undefined
  /** changes nothing; asked at any time */
  pressure(state: S, context: DetectorContext<O>): Pressure
  /** for states that are not plain JSON */
  save?(state: S): unknown
  load?(saved: unknown, options: O): S
}

/** A detector with its settings, ready for a guard. */
export interface Detector extends DetectorDefinition<unknown, DetectorOptions> {}

/** Makes detectors of one kind; settings that are not given keep their default. */
export type DetectorFactory<O extends DetectorOptions> = (options?: Partial<O>) => Detector

/**
 * Declares a detector.
 *
 * @example export const repeatedCall = defineDetector({ name: 'repeated-call', … })
 */
export function defineDetector<S, O extends DetectorOptions>(
  definition: DetectorDefinition<S, O>,
): DetectorFactory<O> {
  return (options) => configure(definition as unknown as Detector, options)
}

/** A detector with some of its settings changed. */
export function configure(detector: Detector, given: unknown): Detector {
  const options = checkOptions(detector.name, detector.options, given)
  detector.check?.(options)
  return { ...detector, options }
}
