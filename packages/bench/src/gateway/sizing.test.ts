import { expect, test } from 'vitest'
import { type Demand, sizeFor } from './sizing.js'

const demand: Demand = {
  sessionsPerDay: 864_000,
  requests: 10,
  tokens: 100,
  secondsBetween: 10,
  keptSeconds: 900,
  peak: 2,
  utilization: 0.5,
}
const costs = {
  requestMs: 2,
  tokenMs: 0.03,
  redisMs: 0.1,
  redisBytes: 2 ** 20,
  memoryBytes: 2 ** 20,
}

test('instances carry the peak at the allowed share of a core', () => {
  const size = sizeFor(costs, demand)
  expect(size.requestsPerSecond).toBe(100)
  expect(size.peakRequestsPerSecond).toBe(200)
  expect(size.cpuMs).toBe(5)
  expect(size.requestsPerInstance).toBe(100)
  expect(size.instances).toBe(2)
})

test('sessions are kept while they run and for a while after', () => {
  const size = sizeFor(costs, demand)
  expect(size.liveSessions).toBe(20_000)
  expect(size.redisBytes).toBe(20_000 * 2 ** 20)
  expect(size.redisShare).toBeCloseTo(0.02)
})

test('the limit that is hit first is on top', () => {
  const { limits } = sizeFor(costs, demand)
  expect(limits.map(({ what }) => what)).toEqual([
    'memory of one gateway without Redis, 4 GB',
    'CPU of one gateway, 50 % of a core',
    'memory of one Redis, 16 GB',
    'CPU of one Redis, 50 % of a core',
  ])
  expect(limits[1]?.sessionsPerDay).toBe(432_000)
})

test('without Redis, its limits are left out', () => {
  const { limits } = sizeFor({ ...costs, redisMs: Number.NaN, redisBytes: Number.NaN }, demand)
  expect(limits).toHaveLength(2)
})
