import type { DetectorReport, Finder } from '../detector.js'
import type { AgentEvent } from '../event.js'
import type { Finding } from '../finding.js'
import { redact } from '../reading/redact.js'
import type { AgentState } from '../state/agents.js'
import { mark, spentSince } from './tally.js'

/** Adds the cost of an event, with a mark where a stretch may begin. */
export function addCost({ tally }: AgentState, event: AgentEvent, number: number): void {
  switch (event.type) {
    case 'tool-call':
    case 'turn-start':
      return mark(tally, number)
    case 'usage':
      for (const tokens of [event.inputTokens, event.outputTokens]) {
        if (typeof tokens === 'number' && tokens > 0) tally.tokens += tokens
      }
  }
}

/** A report plus what the guard knows; the ladder adds the rest. */
export function toFinding(
  { tally, agent }: AgentState,
  detector: Finder,
  report: DetectorReport,
  lastEvent: number,
): Finding {
  const { characters, tool, kind, detail, count, period, firstEvent, sample } = report
  const wasted = { events: lastEvent - firstEvent + 1, ...spentSince(tally, firstEvent) }
  return {
    detector: detector.name,
    kind,
    certainty: report.certainty ?? 'certain',
    // it may quote an answer, and answers may contain secrets
    detail: redact(detail),
    advice: report.advice ?? detector.advice,
    identity: report.identity,
    count,
    period,
    firstEvent,
    lastEvent,
    sample,
    strike: 1,
    action: 'stop',
    wasted: characters === undefined ? wasted : { ...wasted, characters },
    ...(tool ? { tool } : {}),
    ...(agent === '' ? {} : { agent }),
  }
}
