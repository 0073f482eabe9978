import type { Detector, DetectorReport, Pressure } from './detector.js'
import type { AgentEvent } from './event.js'
import type { Faults } from './fault.js'
import type { AgentState, Seat } from './state/agents.js'

/** How close one detector is to a finding. */
export interface Explanation extends Pressure {
  detector: string
}

/** What one detector said about an event. */
export interface Said {
  detector: Detector
  report: DetectorReport
}

/** The detectors of a guard, except those that failed. */
export interface Panel {
  /** Asks the detectors about an event; `undefined` if none saw a loop. */
  ask(seats: readonly Seat[], event: AgentEvent, number: number): Said[] | undefined
  /** Drops a detector that failed, or whose report did. */
  drop(detector: Detector, error: unknown): void
  explain(state: AgentState): Explanation[]
}

/** Asks detectors and drops those that throw: a failing rule must not break the run. */
export function createPanel(faults: Faults): Panel {
  const broken = new Set<Detector>()

  function drop(detector: Detector, error: unknown): void {
    // if the host's stack is full, the detector is not to blame
    if (!isStackFull(error)) broken.add(detector)
    faults.add(detector.name, error)
  }

  return {
    drop,
    ask(seats, event, number) {
      let said: Said[] | undefined
      for (let i = 0; i < seats.length; i++) {
        const seat = seats[i] as Seat
        if (broken.size > 0 && broken.has(seat.detector)) continue
        seat.number = number
        try {
          const report = seat.observe(seat.state, event, seat)
          if (report) said = [...(said ?? []), { detector: seat.detector, report }]
        } catch (error) {
          drop(seat.detector, error)
        }
      }
      return said
    },
    explain: ({ seats }) =>
      seats.flatMap((seat) => {
        const { detector } = seat
        if (broken.has(detector)) return []
        try {
          return [{ detector: detector.name, ...detector.pressure(seat.state, seat) }]
        } catch (error) {
          faults.add(detector.name, error)
          return []
        }
      }),
  }
}

const isStackFull = (error: unknown) =>
  error instanceof RangeError && error.message.includes('call stack')
