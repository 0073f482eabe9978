import type { AgentEvent } from 'unloop'
import type { Alarm, Contender } from './contenders.js'
import type { Outcome } from './metrics.js'

/** A run of which we know whether it is a loop. */
export interface KnownRun {
  id: string
  kind: string
  family: string
  loop: boolean
  evidentAt?: number
  secondRepeatAt?: number
  /** a single text: its delay is counted in deltas, elsewhere the deltas of one text are one event */
  isText?: boolean
  events: readonly AgentEvent[]
}

/** Lets a contender watch a run and compares what it said with what is known. */
export function judgeRun(contender: Contender, run: KnownRun): Outcome {
  const alarms = contender.watch(run.events)
  const { id, kind, family, loop } = run
  const begun = run.secondRepeatAt ?? 0
  const early = loop ? alarms.find(({ at }) => at < begun) : alarms[0]
  const hit = loop ? alarms.find(({ at }) => at >= begun) : undefined
  const shown: Alarm | undefined = hit ?? early
  return {
    id,
    kind,
    family,
    loop,
    found: hit !== undefined,
    falseAlarm: early !== undefined,
    ...(hit && run.evidentAt !== undefined ? { delay: delayOf(run, run.evidentAt, hit.at) } : {}),
    ...(shown ? { detector: shown.detector, detail: shown.detail, alarmAt: shown.at } : {}),
    ...(hit ? { identities: new Set(alarms.map(({ identity }) => identity)).size } : {}),
    ...(run.evidentAt === undefined ? {} : { evidentAt: run.evidentAt }),
  }
}

/** How finely a recorder cuts text must not make an alarm look late. */
function delayOf({ events, isText }: KnownRun, evidentAt: number, at: number): number {
  if (isText || at <= evidentAt) return at - evidentAt
  return events.slice(evidentAt + 1, at + 1).filter((event, index) => {
    const isDelta = event.type === 'text' || event.type === 'reasoning'
    return !isDelta || events[evidentAt + index]?.type !== event.type
  }).length
}
