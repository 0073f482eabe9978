import type { AgentEvent } from 'unloop'
import type { Alarm, Contender } from './contenders.js'
import type { Outcome, Seen } from './metrics.js'

/** A run of which we know whether it is a loop. */
export interface KnownRun {
  id: string
  kind: string
  family: string
  loop: boolean
  evidentAt?: number
  /** whether a supervisor would end the run, if the reader said so */
  stopWanted?: boolean
  /** where a generated loop's second repeat begins; in recorded runs nobody knows */
  secondRepeatAt?: number
  /** a single text: its delay is counted in deltas, elsewhere the deltas of one text are one event */
  isText?: boolean
  events: readonly AgentEvent[]
}

// what comes longer before a reader would step in is about something else, or luck
const NEAR = 8

/** Lets a contender watch a run and compares what it said with what is known. */
export function judgeRun(contender: Contender, run: KnownRun): Outcome {
  const alarms = contender.watch(run.events)
  const { id, kind, family, loop, evidentAt, stopWanted } = run
  const advice = see(run, alarms, NEAR)
  const shown = alarms.find(({ at }) => at === advice.at) ?? alarms[0]
  return {
    id,
    kind,
    family,
    loop,
    talks: talks(run.events),
    advice,
    stops: see(
      run,
      alarms.filter(({ stops }) => stops),
      0,
    ),
    ...(shown && { detector: shown.detector, detail: shown.detail, alarmAt: shown.at }),
    ...(advice.found && { identities: new Set(alarms.map(({ identity }) => identity)).size }),
    ...(evidentAt !== undefined && { evidentAt }),
    ...(stopWanted !== undefined && { stopWanted }),
  }
}

/** In a generated loop the second repeat is the proof: a stop before it is wrong, advice may come a little sooner. */
function see(run: KnownRun, alarms: readonly Alarm[], sooner: number): Seen {
  const [first] = alarms
  if (!first) return { found: false, early: false, wrong: false }
  if (!run.loop) return { found: false, early: false, wrong: true, at: first.at }
  const { secondRepeatAt, evidentAt = 0 } = run
  const isGenerated = secondRepeatAt !== undefined
  const isBefore = ({ at }: Alarm) =>
    isGenerated ? distance(run, secondRepeatAt, at) < -sooner : distance(run, evidentAt, at) < -NEAR
  const hit = alarms.find((alarm) => !isBefore(alarm))
  return {
    found: hit !== undefined,
    early: !isGenerated && isBefore(first),
    wrong: isGenerated && isBefore(first),
    at: (hit ?? first).at,
    ...(hit && run.evidentAt !== undefined && { delay: distance(run, evidentAt, hit.at) }),
  }
}

/** Events from one place to another; how finely a recorder cuts text must not make an alarm look late, or early. */
function distance({ events, isText }: KnownRun, place: number, at: number): number {
  if (isText) return at - place
  const [from, to] = at < place ? [at, place] : [place, at]
  let count = 0
  for (let number = from + 1; number <= to; number++) {
    const { type } = events[number] ?? {}
    const isDelta = type === 'text' || type === 'reasoning'
    if (!isDelta || events[number - 1]?.type !== type) count++
  }
  return at < place ? -count : count
}

/** Whether the agent said or thought something before at least half of its turns with a call. */
export function talks(events: readonly AgentEvent[]): boolean {
  let [turns, spoken, hasWords, isOpen] = [0, 0, false, false]
  for (const { type } of events) {
    if (type === 'text' || type === 'reasoning') [hasWords, isOpen] = [true, false]
    if (type === 'prompt' || type === 'turn-start') [hasWords, isOpen] = [false, false]
    if (type === 'tool-result') isOpen = false
    if (type !== 'tool-call' || isOpen) continue
    turns++
    if (hasWords) spoken++
    hasWords = false
    isOpen = true
  }
  return turns > 0 && spoken * 2 >= turns
}
