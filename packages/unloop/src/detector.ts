import type { AgentEvent, AgentEventType } from './event.js'
import type { Certainty } from './finding.js'
import { checkOptions, type DetectorOptions } from './options.js'
import type { AgentLog } from './rounds/log.js'

/** What a detector reports about a loop; the guard adds the rest of the `Finding`. */
export interface DetectorReport {
  kind: string
  /** `certain` by default */
  certainty?: Certainty
  detail: string
  /** names this loop; the same loop seen again has the same name */
  identity: string
  count: number
  period: number
  firstEvent: number
  sample: string
  /** the repeated tool */
  tool?: string
  /** all repeated tools, if there are several */
  tools?: readonly string[]
  /** keys of the calls in the loop, so that the guard recognizes them */
  keys?: readonly number[]
  /** replaces the detector's usual advice */
  advice?: string
  /** replaces the detector's plane */
  plane?: 'calls' | 'text'
  /** the loop is made up of several agents */
  isEverybody?: boolean
  /** characters the loop has produced so far, for loops of text */
  characters?: number
}

/** The source of a report, as far as the guard has to know. */
export type Finder = Pick<Detector, 'name' | 'advice' | 'plane'> & Partial<Pick<Detector, 'stage'>>

/** How close a detector is to a finding, and why not closer. */
export interface Pressure {
  /** 0 is nothing, 1 is a finding */
  pressure: number
  /** the count that matters most at the moment */
  count: number
  /** the count that leads to a finding, or to the next one after advice */
  limit: number
  /** the certainty of that finding; `certain` by default */
  certainty?: Certainty
  /** why a repeat was not reported */
  excuse?: string
}

/** What a detector can see besides its own state. */
export interface DetectorContext<O> {
  readonly options: O
  /** what this agent has done so far: its rounds and messages */
  readonly log: Readonly<AgentLog>
  /** number of this event, counted from 0 */
  readonly number: number
}

/** A detector as its file declares it: data and a few small functions. */
export interface DetectorDefinition<S, O extends DetectorOptions> {
  /** also the base name of its source, test and page */
  name: string
  /** one line for tables: what it finds */
  finds: string
  /** tells the model what to do instead */
  advice: string
  /** `stable` is on by default, `trial` is not, `reference` is for the presets */
  stage: 'stable' | 'trial' | 'reference'
  /** which steps of the ladder its findings take */
  plane: 'calls' | 'text'
  /** the types of events it gets */
  on: readonly AgentEventType[]
  /** only events that complete a round */
  rounds?: boolean
  /** every setting with its default */
  options: O
  /** throws a `RangeError` for settings of the right type that make no sense */
  check?(options: O): void
  /** the state at the start of a prompt: bounded, and plain JSON unless there is `save` */
  start(options: O): S
  observe(state: S, event: AgentEvent, context: DetectorContext<O>): DetectorReport | undefined
  /** may be called at any time and changes nothing */
  pressure(state: S, context: DetectorContext<O>): Pressure
  /** for a state that is not plain JSON */
  save?(state: S): unknown
  load?(saved: unknown, options: O): S
}

/** A detector with its settings, ready for a guard. */
export interface Detector extends DetectorDefinition<unknown, DetectorOptions> {}

/** Creates a detector; settings that are not given keep their default. */
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
