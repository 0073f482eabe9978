import { describe, expect, it } from 'vitest'
import type { Detector } from '../src/detector.js'
import type { AgentEvent } from '../src/event.js'
import { createGuard } from '../src/guard.js'

interface Cases {
  /** each trips on its last event and on none before */
  trips: Record<string, AgentEvent[]>
  /** each trips on no event */
  quiet: Record<string, AgentEvent[]>
  /** known misses: loops that are not found yet, also listed on the page */
  misses?: Record<string, AgentEvent[]>
}

/** The suite every detector passes; each case also runs with the state saved and loaded after every event. */
export function testDetector(detector: Detector, { trips, quiet, misses = {} }: Cases): void {
  describe(detector.name, () => {
    for (const [name, events] of Object.entries(trips)) {
      it(`trips ${name}`, () => {
        expect(findings(detector, events)).toEqual([events.length - 1])
        expect(findings(detector, events, { resumed: true })).toEqual([events.length - 1])
      })
    }
    for (const [name, events] of Object.entries(quiet)) {
      it(`is quiet ${name}`, () => {
        expect(findings(detector, events)).toEqual([])
        expect(findings(detector, events, { resumed: true })).toEqual([])
      })
    }
    for (const [name, events] of Object.entries(misses)) {
      it(`still misses ${name}`, () => expect(findings(detector, events)).toEqual([]))
    }
    it('is near a loop only when there is something to repeat', () => {
      const guard = createGuard({ detectors: [detector] })
      guard.observe({ type: 'prompt' })
      expect(guard.pressure).toBe(0)
    })
  })
}

/** The indices of the events that tripped. */
function findings(detector: Detector, events: AgentEvent[], { resumed = false } = {}): number[] {
  const options = { detectors: [detector] }
  let guard = createGuard(options)
  return events.flatMap((event, index) => {
    const finding = guard.observe(event)
    expect(guard.faults).toEqual([])
    if (resumed) guard = createGuard(options, JSON.parse(JSON.stringify(guard.snapshot())))
    if (!finding) return []
    expect(finding.at).toBe(index)
    expect(finding.since).toBeLessThanOrEqual(index)
    expect(finding.detail).not.toBe('')
    expect(finding.advice).not.toBe('')
    return [index]
  })
}
