import { createGuard } from 'unloop'
import { makeSession } from './session.js'

const seed = Number(process.argv[2])
const sessions = 40

play(seed)
const guards: ReturnType<typeof createGuard>[] = []
const before = liveBytes()
for (let index = 1; index <= sessions; index++) guards.push(play(seed + index))
const liveBytesEach = (liveBytes() - before) / sessions
const snapshots = guards.map((guard) => Buffer.byteLength(JSON.stringify(guard.snapshot())))
const result = { liveBytes: Math.round(liveBytesEach), snapshotBytes: Math.max(...snapshots) }
process.stdout.write(JSON.stringify(result))

function play(seed: number) {
  const guard = createGuard()
  for (const event of makeSession(seed)) guard.observe(event)
  return guard
}

function liveBytes(): number {
  for (let pass = 0; pass < 4; pass++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
