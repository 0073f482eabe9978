import { textTable } from '../table.js'
import { type Candidate, startUpstream } from './candidates.js'
import { type FleetRun, runFleet, tokenCost } from './fleet-run.js'
import { startRedis } from './redis.js'
import { type Demand, sizeFor } from './sizing.js'
import { startUnloop } from './unloop.js'

const FLEET = {
  sessions: 10_000,
  // a session of 30 requests that is half over: these cost what the average one does
  start: 24,
  requests: 10,
  connections: 32,
  // both stores, the streams and the starts stay below four minutes
  forMs: 85_000,
}

const DEMAND: Demand = {
  sessionsPerDay: 1_000_000,
  requests: 30,
  // a call with a few words before it, or a short answer
  tokens: 200,
  secondsBetween: 15,
  // sessionIdleMs by default
  keptSeconds: 3600,
  peak: 3,
  utilization: 0.6,
}

interface TokenCosts {
  guardedMs: number
  plainMs: number
}

/** What many sessions at once cost, and what a large installation would need. */
export async function measureFleet(log: (line: string) => void): Promise<string> {
  const upstream = await startUpstream()
  const url = `http://127.0.0.1:${upstream.port}`
  const redis = await startRedis()
  const { sessions } = FLEET
  try {
    log(`${sessions} sessions, one gateway, in memory …`)
    const runs = [await withGateways(url, [], 1, (all) => runFleet('in memory', all, FLEET))]
    if (redis) {
      log(`${sessions} sessions, two gateways, Redis …`)
      const store = ['--store', redis.url]
      runs.push(await withGateways(url, store, 2, (all) => runFleet('Redis', all, FLEET, redis)))
    }
    log('streams of 50 tokens a second …')
    const costOf = ([gateway]: Candidate[]) => tokenCost(gateway as Candidate)
    const tokens = {
      guardedMs: await withGateways(url, [], 1, costOf),
      plainMs: await withGateways(url, ['--on-loop', 'off'], 1, costOf),
    }
    const versions = `Node ${process.versions.node}, ${redis ? `Redis ${redis.version}` : 'Redis is not installed'}`
    return [measured(runs, tokens, versions), needed(runs, tokens)].join('\n\n')
  } finally {
    await redis?.stop()
    await upstream.stop()
  }
}

async function withGateways<T>(
  url: string,
  args: readonly string[],
  count: number,
  use: (gateways: Candidate[]) => Promise<T>,
): Promise<T> {
  const gateways: Candidate[] = []
  try {
    while (gateways.length < count) gateways.push(await startUnloop('gateway', url, args))
    return await use(gateways)
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
  }
}

function measured(runs: readonly FleetRun[], tokens: TokenCosts, versions: string): string {
  const { sessions, start, connections } = FLEET
  const heading = [
    '',
    'requests',
    'a second each',
    'CPU ms',
    'p50 ms',
    'p99 ms',
    'MB',
    'KB/session',
  ]
  const rows = runs.map((run) => [
    `${run.store}, ${run.gateways === 1 ? 'one gateway' : `${run.gateways} gateways`}`,
    `${run.requests}`,
    (run.perSecond / run.gateways).toFixed(0),
    run.cpuMs.toFixed(2),
    run.p50.toFixed(1),
    run.p99.toFixed(1),
    run.residentMb.toFixed(0),
    kilobytes(run.sessionBytes),
  ])
  const redis = runs.find((run) => run.redis)?.redis
  const wrong = runs.reduce((sum, run) => sum + run.interventions, 0)
  return [
    `LoopBench, a fleet of ${sessions} agents. ${versions}.`,
    `Histories of ${start} messages and more, ${connections} requests at a time, all processes on this machine.`,
    '',
    textTable([heading, ...rows]),
    '',
    `A token of a streamed answer: ${microseconds(tokens.guardedMs)} µs of CPU, ${microseconds(tokens.plainMs)} µs without guard`,
    ...(redis
      ? [
          `Redis: ${kilobytes(redis.sessionBytes)} KB a session, ${kilobytes(redis.keyBytes)} KB by MEMORY USAGE of its keys; ` +
            `${redis.commands.toFixed(1)} commands and ${microseconds(redis.cpuMs)} µs of CPU a request`,
        ]
      : []),
    ...(wrong > 0 ? [`The guard did not let ${wrong} honest requests pass.`] : []),
  ].join('\n')
}

function needed(runs: readonly FleetRun[], { guardedMs }: TokenCosts): string {
  const run = runs.at(-1) as FleetRun
  const { sessionsPerDay, requests, tokens, secondsBetween, keptSeconds, peak, utilization } =
    DEMAND
  const costs = {
    requestMs: run.cpuMs,
    tokenMs: guardedMs,
    redisMs: run.redis?.cpuMs ?? Number.NaN,
    redisBytes: run.redis?.sessionBytes ?? Number.NaN,
    memoryBytes: runs[0]?.sessionBytes ?? Number.NaN,
  }
  const size = sizeFor(costs, DEMAND)
  return [
    `For ${sessionsPerDay} sessions a day: ${requests} requests each, one every ${secondsBetween} s, answers of ${tokens} tokens; the busiest`,
    `hour has ${peak} times the average, a core is used up to ${utilization * 100} %, a session is kept for ${keptSeconds / 60} minutes.`,
    '',
    textTable([
      ['', 'needed'],
      ['requests a second', size.requestsPerSecond.toFixed(0)],
      ['requests a second at the peak', size.peakRequestsPerSecond.toFixed(0)],
      ['ms of CPU a request', size.cpuMs.toFixed(2)],
      ['requests a second of an instance', size.requestsPerInstance.toFixed(0)],
      ['instances', `${size.instances}`],
      ['sessions kept at the peak', size.liveSessions.toFixed(0)],
      ...(run.redis
        ? [
            ['GB of Redis', (size.redisBytes / 2 ** 30).toFixed(1)],
            ['cores of Redis', size.redisShare.toFixed(2)],
          ]
        : []),
    ]),
    '',
    textTable([
      ['limits, the first one on top', 'sessions a day'],
      ...size.limits.map((limit) => [limit.what, limit.sessionsPerDay.toFixed(0)]),
    ]),
  ].join('\n')
}

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1)
const microseconds = (ms: number) => (ms * 1000).toFixed(0)
