import { atLeast, atMost, type Goal } from '../goal.js'
import type { HostileResult } from './hostile.js'
import type { GatewayResults } from './measure.js'
import { addedTo, ratioOf } from './rounds.js'

/** What the guard may cost, compared with the same proxy without it. */
export function gatewayGoals(results: GatewayResults): Goal[] {
  const { plain, guarded, portkey = '' } = results.names
  const { perSecond } = results.throughput
  const interventions = results.latencies.reduce((sum, latency) => sum + latency.interventions, 0)
  return [
    ...results.latencies.flatMap(({ course, rounds }) => [
      atMost(
        `${course.name}: added at the median`,
        addedTo(rounds, plain, guarded, 50),
        course.to < 100 ? 0.5 : 2,
        'ms',
      ),
      atMost(`${course.name}: added at p99`, addedTo(rounds, plain, guarded, 99), 8, 'ms'),
    ]),
    ...results.firstBytes.map(({ name, rounds }) =>
      atMost(`${name}: first byte later by`, addedTo(rounds, plain, guarded, 50), 1, 'ms'),
    ),
    atMost('honest requests that the guard stopped or missed', interventions, 0),
    atLeast('streams a second', ratioOf(perSecond, guarded, plain), 0.8, '× without guard'),
    atLeast('streams a second', ratioOf(perSecond, guarded, portkey), 1, '× Portkey'),
  ]
}

// a liveness probe of Kubernetes gives up after a second, and containers with 1 GB are common
const HEALTH_MS = 100
const PEAK_MB = 1024

/** What others notice of somebody who sends hostile bodies. */
export function hostileGoals(results: readonly HostileResult[]): Goal[] {
  const healthMs = Math.max(...results.map((result) => result.healthMs))
  const peakMb = Math.max(...results.map((result) => result.peakMb))
  return [
    atMost('hostile bodies: /healthz for another client', healthMs, HEALTH_MS, 'ms'),
    atMost('hostile bodies: memory of the gateway', peakMb, PEAK_MB, 'MB'),
  ]
}
