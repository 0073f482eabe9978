import { metrics as otelMetrics, trace } from '@opentelemetry/api'
import { toTelemetry } from 'unloop/otel'
import type { Observer } from '../guard/guardian.js'
import { type Log, reasonOf } from './log.js'
import type { Metrics } from './metrics.js'

/** Tells operators what a guardian does: as metrics, as lines of the log, and as telemetry if a program has set that up. */
export function createObserver(metrics: Metrics, log: Log): Observer {
  const tell = toTelemetry({ trace, metrics: otelMetrics })
  return {
    found(finding, outcome, session) {
      const { detector, action, certainty, count } = finding
      metrics.findings.inc({ detector, action })
      // all others are counted with their requests
      if (outcome === 'cut') metrics.outcomes.inc({ outcome })
      log.info('finding', { session, detector, action, certainty, count, outcome })
      tell(finding)
    },
    saved({ requests, tokens, dollars }) {
      metrics.savedRequests.inc(requests)
      metrics.savedTokens.inc(tokens)
      metrics.savedDollars.inc(dollars)
    },
    storeFailed(operation, error) {
      metrics.storeErrors.inc({ operation })
      log.error('store', { operation, reason: reasonOf(error) })
    },
    failed(error) {
      metrics.unguarded.inc({ reason: 'internal' })
      log.error('internal', { reason: reasonOf(error) })
    },
  }
}
