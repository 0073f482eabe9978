import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is asked for when somebody reads the metrics. */
export interface Gauges {
  sessions(): number
  openRequests(): number
  heldBytes(): number
  isStoreUp(): boolean
}

export type Metrics = ReturnType<typeof createMetrics>

// ours are tenths of milliseconds, those of models are seconds
const OWN_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5]
const UPSTREAM_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** The metrics of a gateway, for Prometheus. */
export function createMetrics(gauges: Gauges) {
  const registers = [new Registry()] as [Registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `unloop_gateway_${name}`, help, labelNames, registers })
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `unloop_gateway_${name}`, help, buckets, registers })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `unloop_gateway_${name}`,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  collectDefaultMetrics({ register: registers[0] })
  gauge('sessions', 'Conversations with a guard in memory', gauges.sessions)
  gauge('open_requests', 'Requests that are being answered', gauges.openRequests)
  gauge('held_bytes', 'What is held for requests in flight', gauges.heldBytes)
  gauge('store_up', 'Whether the store answers', () => (gauges.isStoreUp() ? 1 : 0))

  return {
    registry: registers[0],
    requests: counter('requests_total', 'Requests, by how they were answered', [
      'upstream',
      'protocol',
      'status',
    ]),
    overhead: histogram('overhead_seconds', "The gateway's own time per request", OWN_SECONDS),
    upstream: histogram(
      'upstream_seconds',
      'Time until the first byte of an upstream',
      UPSTREAM_SECONDS,
    ),
    findings: counter('findings_total', 'Loops that were found', ['detector', 'action']),
    outcomes: counter('outcomes_total', 'What happened to guarded requests', ['outcome']),
    savedTokens: counter('saved_tokens_total', 'Tokens that were not spent, estimated'),
    savedRequests: counter('saved_requests_total', 'Requests that were not sent'),
    savedDollars: counter('saved_dollars_total', 'Dollars that were not spent, estimated'),
    storeTooLarge: counter(
      'store_too_large_total',
      'States of agents that were too large for the store',
    ),
    storeErrors: counter('store_errors_total', 'Failures of the store', ['operation']),
    unguarded: counter('unguarded_total', 'Requests to models that were not guarded', ['reason']),
  }
}
