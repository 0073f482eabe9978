import { setImmediate as nextTurn } from 'node:timers/promises'

// Loaded before the gateway: on SIGUSR2 it frees what nobody needs any more, and logs what is left.
process.on('SIGUSR2', async () => {
  globalThis.gc()
  // what is freed may hold something else
  await nextTurn()
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.stdout.write(
    `${JSON.stringify({ event: 'collected', heap: heapUsed + external, rss })}\n`,
  )
})
