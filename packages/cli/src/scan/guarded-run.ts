import type { TranscriptItem } from '@unloop/transcripts'
import { createGuard, type Finding, type GuardOptions } from 'unloop'
import { type FaultReport, toFaultReport, troublesOf } from '../troubles.js'
import { isMoment, total } from './amounts.js'
import { createCourse } from './ending.js'
import { evidenceOf } from './evidence.js'
import { costOfUsage, type Price, priceOf } from './prices.js'
import { createRecall, type Meter } from './recall.js'
import { certainOf, type LoopReport, type RunReport, type Spent, type Unit } from './run-report.js'
import { createSpans, type Span } from './spans.js'
import { createTimeline } from './timeline.js'

/** One run while it is read. */
export interface GuardedRun {
  /** Takes the next event; gives what it shows of a loop, if it shows one. */
  take(item: TranscriptItem): Seen | undefined
  toReport(): RunReport
}

/** A finding, the loop it belongs to, and the number of the request it came after. */
export interface Seen {
  finding: Finding
  loop: LoopReport
  prompt: number
}

/** A guard, a meter and a memory for one run. */
export function createGuardedRun(
  path: string,
  unit: Unit,
  options: GuardOptions,
  onFault: (fault: FaultReport) => void = () => {},
): GuardedRun {
  const guard = createGuard({ ...options, onFault: (fault) => onFault(toFaultReport(fault)) })
  const recall = createRecall()
  const timeline = createTimeline()
  const course = createCourse()
  const loops = new Map<string, Tracked>()
  const spans = createSpans()
  const meter: Meter = { tokens: 0, cost: 0, at: undefined }
  let first: TranscriptItem | undefined
  let startedAt: number | undefined
  let isPriced = false
  let model: string | undefined
  let price: Price | undefined
  let events = 0
  let lastPrompt = 0
  let counted = -1
  let wasted = NOTHING

  function count({ event, run }: TranscriptItem) {
    if (isMoment(event.at)) {
      meter.at = event.at
      startedAt ??= event.at
    }
    if (event.type !== 'usage') return
    meter.tokens += (event.inputTokens ?? 0) + (event.outputTokens ?? 0)
    const used = event.model ?? run.model
    if (used !== model) price = priceOf(used)
    model = used
    if (!price) return
    isPriced = true
    meter.cost += costOfUsage(event, price)
  }

  /** What was spent after one event up to another; its time runs from the first of them, or before it. */
  function spentIn({ after, to }: Span, timedFrom = after): Spent {
    const start = after < 0 ? undefined : recall.at(after)
    const end = recall.at(to)
    const from = recall.at(timedFrom)?.at
    return {
      events: to - after,
      tokens: (end?.tokens ?? 0) - (start?.tokens ?? 0),
      ...(isPriced && { cost: (end?.cost ?? 0) - (start?.cost ?? 0) }),
      ...(from !== undefined && end?.at !== undefined && { ms: Math.max(0, end.at - from) }),
    }
  }

  function toLoop(finding: Finding, tracked: Tracked | undefined): Tracked {
    const {
      identity,
      detector,
      kind,
      detail,
      sample,
      tool,
      agent,
      count,
      firstEvent: since,
      lastEvent: at,
      action,
    } = finding
    const { loop: known } = tracked ?? {}
    const certainty = known?.certainty === 'certain' ? 'certain' : finding.certainty
    // it is told where it was proven, although it was likely before
    const told = known?.certainty === certainty ? known : undefined
    const here = recall.at(at)?.place ?? { event: at, line: 0 }
    const began = known?.began ?? recall.at(since)?.place ?? here
    const evident = told?.evident ?? here
    const stopped = known?.stopped ?? (action === 'stop' || action === 'ask' ? here : undefined)
    // what lies between two loops of the same kind is not wasted
    const isSame = known !== undefined && since <= known.last.event
    const span = { after: isSame ? known.last.event : since - 1, to: at }
    const more = spentIn(span, isSame ? span.after : since)
    const from = isSame ? (tracked?.from ?? since) : since
    // what is likely is evident when it is seen, what is certain when it is proven, each time again
    const isEvident = isSame && told !== undefined && (certainty === 'likely' || tracked?.isProven)
    const isProven = finding.certainty === 'certain' || (isSame && tracked?.isProven === true)
    if (certainty === 'certain') {
      const whole = told ? span : { after: from - 1, to: at }
      for (const part of spans.add(whole)) {
        wasted = total([wasted, spentIn(part, Math.max(told ? since : from, part.after))])
      }
    }
    const loop: LoopReport = {
      identity,
      certainty,
      detector: told?.detector ?? detector,
      kind,
      detail,
      sample,
      ...(tool !== undefined && { tool }),
      ...(agent !== undefined && { agent }),
      count: Math.max(count, known?.count ?? 0),
      began,
      evident,
      ...(stopped && { stopped }),
      last: here,
      wasted: total([...(known ? [known.wasted] : []), more]),
      avoidable: total([told?.avoidable ?? NOTHING, ...(isEvident ? [more] : [])]),
      evidence: told?.evidence ?? recall.recent(8).map(evidenceOf),
    }
    return { loop, from, isProven }
  }

  return {
    take(item) {
      first ??= item
      events++
      if (item.event.type === 'prompt') lastPrompt = item.number
      count(item)
      recall.add(item, meter)
      timeline.add(item.event)
      course.add(item)
      const finding = guard.observe(item.event)
      const latest = guard.findings.at(-1)
      // what was found when a call was made is counted on when it is answered
      if (!latest || latest.lastEvent === counted) return
      counted = latest.lastEvent
      const name = `${latest.agent ?? ''} ${latest.identity}`
      const tracked = toLoop(latest, loops.get(name))
      loops.set(name, tracked)
      return finding && { finding, loop: tracked.loop, prompt: lastPrompt }
    },
    toReport() {
      const { format = '', program, project, session, model, agent, outcome } = first?.run ?? {}
      const all = [...loops.values()].map(({ loop }) => loop)
      const stuck = certainOf(all)
      const found = [...stuck, ...all.filter((loop) => !stuck.includes(loop))]
      return {
        path,
        format,
        unit,
        ...(program !== undefined && { program }),
        ...(project !== undefined && { project }),
        ...(session !== undefined && { session }),
        ...(model !== undefined && { model }),
        ...(agent !== undefined && { agent }),
        ...(startedAt !== undefined && { startedAt }),
        ...(meter.at !== undefined && { endedAt: meter.at }),
        // an agent that was stuck and got over it may struggle with something else
        ended: course.endingOf(
          (stuck.length > 0 ? stuck : found).map(({ agent, began, last }) => ({
            ...(agent !== undefined && { agent }),
            from: began.event,
            to: last.event,
          })),
        ),
        ...(outcome && { status: outcome.status }),
        spent: {
          events,
          tokens: meter.tokens,
          ...(isPriced && { cost: meter.cost }),
          ...(meter.at !== undefined && startedAt !== undefined && { ms: meter.at - startedAt }),
        },
        wasted,
        timeline: timeline.toReport(),
        loops: found,
        ...troublesOf(guard),
      }
    },
  }
}

/** A loop, the event with which it began the last time, and whether it was certain since. */
interface Tracked {
  loop: LoopReport
  from: number
  isProven: boolean
}

const NOTHING: Spent = { events: 0, tokens: 0 }
