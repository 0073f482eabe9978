import type { Finding } from 'unloop'
import { redact } from 'unloop/redact'
import type { FindingView } from '../store/session.js'

/** A finding for people: without secrets, and shortened. */
export function toView(finding: Finding, outcome: string, at: number): FindingView {
  const { detector, certainty, action, count, tool, wasted } = finding
  return {
    at,
    detector,
    certainty,
    action,
    outcome,
    detail: brief(finding.detail, 300),
    sample: brief(finding.sample, 400),
    advice: brief(finding.advice, 500),
    count,
    ...(tool !== undefined && { tool: tool.slice(0, 200) }),
    wasted,
  }
}

const brief = (text: string, length: number): string => {
  const safe = redact(text)
  return safe.length > length ? `${safe.slice(0, length - 1)}…` : safe
}
