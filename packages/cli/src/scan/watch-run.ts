import type { TranscriptItem } from '@unloop/transcripts'
import { createGuard, type Finding, type GuardOptions } from 'unloop'
import { endingOf } from './ending.js'
import { evidenceOf } from './evidence.js'
import { costOfUsage, priceOf } from './prices.js'
import { createRecall, type Meter } from './recall.js'
import type { LoopReport, Place, RunReport, Spent } from './run-report.js'
import { createTimeline } from './timeline.js'

/** One run while it is read. */
export interface RunWatch {
  /** Takes the next event; gives the finding and the loop it belongs to, if it shows one. */
  take(item: TranscriptItem): { finding: Finding; loop: LoopReport } | undefined
  toReport(): RunReport
}

/** A guard, a meter and a memory for one run. */
export function createRunWatch(path: string, options: GuardOptions): RunWatch {
  const guard = createGuard(options)
  const recall = createRecall()
  const timeline = createTimeline()
  const loops = new Map<string, LoopReport>()
  const meter: Meter = { tokens: 0, cost: 0, at: undefined }
  let first: TranscriptItem | undefined
  let last: TranscriptItem | undefined
  let startedAt: number | undefined
  let isPriced = false
  let events = 0
  let lastPrompt = 0

  function count({ event, run }: TranscriptItem) {
    if (event.at !== undefined) {
      meter.at = event.at
      startedAt ??= event.at
    }
    if (event.type !== 'usage') return
    meter.tokens += (event.inputTokens ?? 0) + (event.outputTokens ?? 0)
    const price = priceOf(event.model ?? run.model)
    if (!price) return
    isPriced = true
    meter.cost += costOfUsage(event, price)
  }

  /** What came after an event, time aside. */
  function spentAfter(event: number): Spent {
    const from = event < 0 ? { tokens: 0, cost: 0 } : recall.at(event)
    return {
      events: events - 1 - event,
      tokens: meter.tokens - (from?.tokens ?? 0),
      ...(isPriced && { cost: meter.cost - (from?.cost ?? 0) }),
    }
  }

  function toLoop(finding: Finding, known: LoopReport | undefined): LoopReport {
    const { identity, detector, kind, detail, sample, tool, agent, count, since, at, action } =
      finding
    const here = recall.at(at)?.place ?? { event: at, line: 0 }
    const began = known?.began ?? recall.at(since)?.place ?? here
    const evident = known?.evident ?? here
    const stopped = known?.stopped ?? (action === 'stop' || action === 'ask' ? here : undefined)
    return {
      identity,
      detector: known?.detector ?? detector,
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
      wasted: timed(
        known ? add(known.wasted, spentAfter(known.last.event)) : spentAfter(since - 1),
        began,
        here,
      ),
      avoidable: timed(
        known ? add(known.avoidable, spentAfter(known.last.event)) : NOTHING,
        evident,
        here,
      ),
      evidence: known?.evidence ?? recall.recent(8).map(evidenceOf),
    }
  }

  return {
    take(item) {
      first ??= item
      last = item
      events++
      if (item.event.type === 'prompt') lastPrompt = item.number
      count(item)
      recall.add(item, meter)
      timeline.add(item.event)
      const finding = guard.observe(item.event)
      if (!finding) return
      const loop = toLoop(finding, loops.get(finding.identity))
      loops.set(finding.identity, loop)
      return { finding, loop }
    },
    toReport() {
      const { format = '', program, project, session, model, agent } = first?.run ?? {}
      const found = [...loops.values()]
      return {
        path,
        format,
        ...(program !== undefined && { program }),
        ...(project !== undefined && { project }),
        ...(session !== undefined && { session }),
        ...(model !== undefined && { model }),
        ...(agent !== undefined && { agent }),
        ...(startedAt !== undefined && { startedAt }),
        ...(meter.at !== undefined && { endedAt: meter.at }),
        ended: endingOf(
          last,
          lastPrompt,
          found.map((loop) => loop.last.event),
        ),
        spent: {
          events,
          tokens: meter.tokens,
          ...(isPriced && { cost: meter.cost }),
          ...(meter.at !== undefined && startedAt !== undefined && { ms: meter.at - startedAt }),
        },
        timeline: timeline.toReport(),
        loops: found,
      }
    },
  }
}

const NOTHING: Spent = { events: 0, tokens: 0 }

function add(one: Spent, other: Spent): Spent {
  const cost = one.cost ?? other.cost
  return {
    events: one.events + other.events,
    tokens: one.tokens + other.tokens,
    ...(cost !== undefined && { cost: (one.cost ?? 0) + (other.cost ?? 0) }),
  }
}

const timed = (spent: Spent, from: Place, to: Place): Spent =>
  from.at === undefined || to.at === undefined
    ? spent
    : { ...spent, ms: Math.max(0, to.at - from.at) }
