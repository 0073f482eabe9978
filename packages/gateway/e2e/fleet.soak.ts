import { expect, it, onTestFinished } from 'vitest'
import { startCrowd } from './crowd.js'
import { startRedis, until } from './processes.js'

it('10,000 sessions at once do not fill the memory', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const crowd = await startCrowd(redis, 'crowd')
  const { gateway } = crowd
  onTestFinished(() => crowd.stop())
  const first = await crowd.come(5000)
  const half = await gateway.memory()
  await crowd.come(5000)
  const all = await gateway.memory()
  console.log('after 5,000 sessions', half, 'and after 10,000', all)
  // a kilobyte for each of 5,000 more sessions would be 5 MB; V8 gives memory back to the system in large pieces
  expect(all.heapMb - half.heapMb).toBeLessThan(5)
  expect(all.residentMb - half.residentMb).toBeLessThan(64)
  expect(await gateway.metric('sessions')).toBeLessThanOrEqual(1000)
  // the oldest of them are still known; a machine that is busy may lose a few, for nobody waits for Redis
  const early = first.slice(0, 100)
  await Promise.all(early.map(crowd.ask))
  const counted = async () => {
    const all = await Promise.all(
      early.map(({ id }) => redis.client.hGet(`unloop:{${id}}`, 'counts')),
    )
    return all.filter((counts) => JSON.parse(counts ?? '{}').requests === 2).length
  }
  await until(async () => (await counted()) >= 90)
})
