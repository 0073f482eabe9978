/** What was measured, for one request or one session. */
export interface Costs {
  /** milliseconds of a gateway's CPU for a request from the middle of a session, without its answer */
  requestMs: number
  /** milliseconds of a gateway's CPU for a token of a streamed answer */
  tokenMs: number
  /** milliseconds of Redis' CPU for a request */
  redisMs: number
  /** bytes of a session in Redis, and in a gateway that keeps sessions itself */
  redisBytes: number
  memoryBytes: number
}

/** What an installation has to serve. */
export interface Demand {
  sessionsPerDay: number
  requests: number
  /** of an answer */
  tokens: number
  /** between two requests of a session */
  secondsBetween: number
  /** how long a session is kept after its last request */
  keptSeconds: number
  /** the busiest hour, compared with the average */
  peak: number
  /** of a core, so that there is room for an instance that fails */
  utilization: number
}

export interface Sizing {
  requestsPerSecond: number
  peakRequestsPerSecond: number
  cpuMs: number
  requestsPerInstance: number
  instances: number
  liveSessions: number
  redisBytes: number
  /** of one core of Redis, at the peak */
  redisShare: number
  /** sessions a day at which one gateway, and one Redis, has all that is allowed */
  limits: { what: string; sessionsPerDay: number }[]
}

// what the large clouds offer as a small machine, and as a middling Redis
const GATEWAY_GB = 4
const REDIS_GB = 16
const DAY = 24 * 3600

/** Instances and memory for a demand, from the costs of one request. */
export function sizeFor(costs: Costs, demand: Demand): Sizing {
  const { sessionsPerDay, requests, peak, utilization } = demand
  const requestsPerSecond = (sessionsPerDay * requests) / DAY
  const peakRequestsPerSecond = requestsPerSecond * peak
  const cpuMs = costs.requestMs + costs.tokenMs * demand.tokens
  const requestsPerInstance = (1000 * utilization) / cpuMs
  const lifeSeconds = requests * demand.secondsBetween + demand.keptSeconds
  const liveSessions = ((sessionsPerDay * peak) / DAY) * lifeSeconds
  const redisShare = (peakRequestsPerSecond * costs.redisMs) / 1000
  const redisBytes = liveSessions * costs.redisBytes
  const limits = [
    {
      what: `CPU of one gateway, ${utilization * 100} % of a core`,
      sessionsPerDay: (sessionsPerDay * requestsPerInstance) / peakRequestsPerSecond,
    },
    {
      what: `CPU of one Redis, ${utilization * 100} % of a core`,
      sessionsPerDay: (sessionsPerDay * utilization) / redisShare,
    },
    {
      what: `memory of one Redis, ${REDIS_GB} GB`,
      sessionsPerDay: (sessionsPerDay * REDIS_GB * 2 ** 30) / redisBytes,
    },
    {
      what: `memory of one gateway without Redis, ${GATEWAY_GB} GB`,
      sessionsPerDay: (sessionsPerDay * GATEWAY_GB * 2 ** 30) / (liveSessions * costs.memoryBytes),
    },
  ].filter((limit) => Number.isFinite(limit.sessionsPerDay))
  return {
    requestsPerSecond,
    peakRequestsPerSecond,
    cpuMs,
    requestsPerInstance,
    instances: Math.ceil(peakRequestsPerSecond / requestsPerInstance),
    liveSessions,
    redisBytes,
    redisShare,
    limits: limits.toSorted((a, b) => a.sessionsPerDay - b.sessionsPerDay),
  }
}
