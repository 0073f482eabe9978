// `npm run bench:overhead`: what an adapter costs per piece of a streamed answer, on top of the guard itself. Real SDKs, a
// server on this machine in its own process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atMost, goalRows, isMissed } from './goal.js'
import type { Overhead } from './overhead/measure.js'
import { sdks } from './overhead/sdks.js'
import { ANSWER, startProviderProcess } from './provider-process.js'
import { textTable } from './table.js'

// a difference of 1 µs has to show in 40 µs that vary by 3 from round to round
const ROUNDS = 41
const BUDGET = 2

const { url, stop } = await startProviderProcess()
const rows = [['µs of CPU a piece', 'pieces', 'SDK alone', 'guard by hand', 'adapter']]
const goals = []
try {
  for (const name of Object.keys(sdks)) {
    console.error(`${name} …`)
    const { pieces, plain, byHand, adapter, onTop } = await measureAlone(name)
    rows.push([name, `${pieces}`, ...[plain, byHand, adapter].map((time) => time.toFixed(2))])
    goals.push(atMost(`${name}: on top of the guard`, onTop, BUDGET, 'µs'))
  }
} finally {
  stop()
}
console.log(`For ${ANSWER}, medians of ${ROUNDS} rounds\n`)
console.log(`${textTable(rows)}\n\n${textTable(goalRows(goals))}`)
process.exitCode = isMissed(goals) ? 1 : 0

async function measureAlone(name: string): Promise<Overhead> {
  const script = fileURLToPath(new URL('overhead/measure-child.js', import.meta.url))
  const child = fork(script, [name, url, `${ROUNDS}`])
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`measuring ${name} ended with ${code}`)
  })
  const [overhead] = await Promise.race([once(child, 'message'), failed])
  return overhead
}
