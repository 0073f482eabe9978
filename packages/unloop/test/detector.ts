import { describe, expect, it } from 'vitest'
import type { Detector } from '../src/detector.js'
import type { AgentEvent } from '../src/event.js'
import type { Finding } from '../src/finding.js'
import { createGuard } from '../src/guard.js'

interface Cases {
  /** each is a certain loop with its last event and with none before */
  trips: Record<string, AgentEvent[]>
  /** each is a likely loop with its last event, and nothing was told before */
  advises?: Record<string, AgentEvent[]>
  /** each trips on no event */
  quiet: Record<string, AgentEvent[]>
  /** known misses: loops that are not found yet, also listed on the page */
  misses?: Record<string, AgentEvent[]>
}

/** The suite every detector passes; each case also runs with the state saved and loaded after every event. */
export function testDetector(
  detector: Detector,
  { trips, advises = {}, quiet, misses = {} }: Cases,
): void {
  describe(detector.name, () => {
    for (const [name, events] of Object.entries(trips)) {
      it(`trips ${name}`, () => {
        for (const resumed of [false, true]) {
          const certain = findings(detector, events, { resumed }).filter(isCertain)
          expect(certain.map(({ lastEvent: at }) => at)).toEqual([events.length - 1])
        }
      })
    }
    for (const [name, events] of Object.entries(advises)) {
      it(`advises ${name}`, () => {
        for (const resumed of [false, true]) {
          expect(findings(detector, events, { resumed })).toMatchObject([
            { lastEvent: events.length - 1, certainty: 'likely', action: 'warn' },
          ])
        }
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

const isCertain = ({ certainty }: Finding) => certainty === 'certain'

/** What was found, event by event. */
function findings(detector: Detector, events: AgentEvent[], { resumed = false } = {}): Finding[] {
  const options = { detectors: [detector] }
  let guard = createGuard(options)
  return events.flatMap((event, index) => {
    const finding = guard.observe(event)
    expect(guard.faults).toEqual([])
    if (resumed) guard = createGuard(options, JSON.parse(JSON.stringify(guard.snapshot())))
    if (!finding) return []
    expect(finding.lastEvent).toBe(index)
    expect(finding.firstEvent).toBeLessThanOrEqual(index)
    expect(finding.detail).not.toBe('')
    expect(finding.advice).not.toBe('')
    return [finding]
  })
}
