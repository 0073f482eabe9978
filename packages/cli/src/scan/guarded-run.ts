import type { TranscriptItem } from '@unloop/transcripts'
import { createGuard, type Finding, type GuardOptions } from 'unloop'
import type { PriceList } from 'unloop/prices'
import { type FaultReport, toFaultReport, troublesOf } from '../troubles.js'
import { isMoment } from './amounts.js'
import { createCourse } from './ending.js'
import { evidenceOf } from './evidence.js'
import { createLedger } from './ledger.js'
import { nextSteps } from './next-steps.js'
import { packEntries } from './packed-entries.js'
import { createRecall } from './recall.js'
import type { LoopDraft, RunDraft } from './run-draft.js'
import type { LoopReport, Unit } from './run-report.js'
import { addSpan, type Span, spentIn } from './spans.js'
import { createTimeline } from './timeline.js'

/** One run while it is read. */
export interface GuardedRun {
  /** Takes the next event; gives what it shows of a loop, if it shows one. */
  take(item: TranscriptItem): Seen | undefined
  toDraft(): RunDraft
}

/** A finding, the loop it belongs to, and the number of the request it came after. */
export interface Seen {
  finding: Finding
  /** as it is when it is asked for */
  readonly loop: LoopReport
  prompt: number
}

export interface GuardedRunOptions {
  guard: GuardOptions
  prices: PriceList
  onFault?(fault: FaultReport): void
}

// enough for a few laps side by side
const EVIDENCE = 16

/** A guard, a ledger and a memory for one run. */
export function createGuardedRun(
  path: string,
  unit: Unit,
  { guard: options, prices, onFault }: GuardedRunOptions,
): GuardedRun {
  const guard = createGuard({ ...options, onFault: (fault) => onFault?.(toFaultReport(fault)) })
  const recall = createRecall()
  const timeline = createTimeline()
  const course = createCourse()
  const ledger = createLedger(prices)
  const loops = new Map<string, Tracked>()
  let first: TranscriptItem | undefined
  let startedAt: number | undefined
  let endedAt: number | undefined
  let events = 0
  let lastPrompt = 0
  let counted = -1

  function toSpan(after: number, to: number, from: number): Span {
    const startedAt = recall.at(from)?.at
    const endedAt = recall.at(to)?.at
    return {
      after,
      to,
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
    }
  }

  function track(finding: Finding, tracked: Tracked | undefined): Tracked {
    const { firstEvent: since, lastEvent: at, action } = finding
    const { loop: known } = tracked ?? {}
    const certainty = known?.certainty === 'certain' ? 'certain' : finding.certainty
    // it is told where it was proven, although it was likely before
    const told = known?.certainty === certainty ? known : undefined
    const here = recall.at(at) ?? { event: at, line: 0 }
    const began = known?.began ?? recall.at(since) ?? here
    const stopped = known?.stopped ?? (action === 'stop' || action === 'ask' ? here : undefined)
    // what lies between two loops of the same kind is not wasted
    const isSame = known !== undefined && since <= known.last.event
    const span = isSame
      ? toSpan(known.last.event, at, known.last.event)
      : toSpan(since - 1, at, since)
    // what is likely is evident when it is seen, what is certain when it is proven, each time again
    const isEvident = isSame && told !== undefined && (certainty === 'likely' || tracked?.isProven)
    const isProven = finding.certainty === 'certain' || (isSame && tracked?.isProven === true)
    const spans = tracked?.spans ?? []
    addSpan(spans, { ...span })
    const late = told ? (tracked?.late ?? []) : []
    if (isEvident) addSpan(late, span)
    const loop: LoopReport = {
      identity: finding.identity,
      certainty,
      detector: told?.detector ?? finding.detector,
      kind: finding.kind,
      detail: finding.detail,
      sample: finding.sample,
      ...(finding.tool !== undefined && { tool: finding.tool }),
      ...(finding.agent !== undefined && { agent: finding.agent }),
      count: Math.max(finding.count, known?.count ?? 0),
      period: finding.period,
      began,
      evident: told?.evident ?? here,
      ...(stopped && { stopped }),
      last: here,
      // told when it is asked for
      wasted: known?.wasted ?? NOTHING,
      avoidable: known?.avoidable ?? NOTHING,
      evidence: told?.evidence ?? recall.recent(EVIDENCE).map(evidenceOf),
      advice: finding.advice,
      steps: [],
    }
    return { loop, spans, late, isProven }
  }

  function toLoop({ loop, spans, late }: Tracked): LoopDraft {
    const entries = ledger.entries()
    const { program, format } = first?.run ?? {}
    return {
      loop: {
        ...loop,
        wasted: spentIn(spans, entries),
        avoidable: spentIn(late, entries),
        steps: nextSteps(loop, program ?? format),
      },
      spans,
    }
  }

  return {
    take(item) {
      first ??= item
      events++
      const { event } = item
      if (event.type === 'prompt') lastPrompt = item.number
      if (isMoment(event.at)) {
        endedAt = event.at
        startedAt ??= event.at
      }
      recall.add(item)
      timeline.add(event)
      course.add(item)
      ledger.add(item)
      const finding = guard.observe(event)
      const latest = guard.findings.at(-1)
      // what was found when a call was made is counted on when it is answered
      if (!latest || latest.lastEvent === counted) return
      counted = latest.lastEvent
      const name = `${latest.agent ?? ''} ${latest.identity}`
      const tracked = track(latest, loops.get(name))
      loops.set(name, tracked)
      if (!finding) return
      return {
        finding,
        // most are never asked for
        get loop() {
          return toLoop(tracked).loop
        },
        prompt: lastPrompt,
      }
    },
    toDraft() {
      const {
        format = '',
        program,
        project,
        session,
        model,
        agent,
        parent,
        outcome,
      } = first?.run ?? {}
      const all = [...loops.values()].map(toLoop)
      const stuck = all.filter(({ loop }) => loop.certainty === 'certain')
      const found = [...stuck, ...all.filter((one) => !stuck.includes(one))]
      return {
        run: {
          path,
          format,
          unit,
          ...(program !== undefined && { program }),
          ...(project !== undefined && { project }),
          ...(session !== undefined && { session }),
          ...(model !== undefined && { model }),
          ...(agent !== undefined && { agent }),
          ...(startedAt !== undefined && { startedAt }),
          ...(endedAt !== undefined && { endedAt }),
          // an agent that was stuck and got over it may struggle with something else
          ended: course.endingOf(
            (stuck.length > 0 ? stuck : found).map(({ loop: { agent, began, last } }) => ({
              ...(agent !== undefined && { agent }),
              from: began.event,
              to: last.event,
            })),
          ),
          ...(outcome && { status: outcome.status }),
          timeline: timeline.toReport(),
          ...troublesOf(guard),
        },
        ...(parent !== undefined && { parent }),
        events,
        entries: packEntries(ledger.entries()),
        loops: found,
      }
    },
  }
}

/** A loop with its events, those of them after it was evident, and whether it was certain since it began the last time. */
interface Tracked {
  loop: LoopReport
  spans: Span[]
  late: Span[]
  isProven: boolean
}

const NOTHING = { events: 0, tokens: 0 }
