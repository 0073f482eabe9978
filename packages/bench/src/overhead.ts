// `npm run bench:overhead`: what an adapter costs a piece of a streamed answer, on top of the guard itself. Real SDKs, a
// server on this machine in a process of its own.
import { atMost, goalRows, isMissed } from './goal.js'
import { measureOverhead } from './overhead/measure.js'
import { sdks } from './overhead/sdks.js'
import { ANSWER, startProviderProcess } from './provider-process.js'
import { textTable } from './table.js'

const ROUNDS = 21
const BUDGET = 2

const { url, stop } = await startProviderProcess()
const rows = [['µs of CPU a piece', 'pieces', 'SDK alone', 'guard by hand', 'adapter']]
const goals = []
try {
  for (const [name, stream] of Object.entries(sdks)) {
    console.error(`${name} …`)
    const { pieces, plain, byHand, adapter, onTop } = await measureOverhead(stream, url, ROUNDS)
    rows.push([name, `${pieces}`, ...[plain, byHand, adapter].map((time) => time.toFixed(2))])
    goals.push(atMost(`${name}: on top of the guard`, onTop, BUDGET, 'µs'))
  }
} finally {
  stop()
}
console.log(`For ${ANSWER}, medians of ${ROUNDS} rounds\n`)
console.log(`${textTable(rows)}\n\n${textTable(goalRows(goals))}`)
process.exitCode = isMissed(goals) ? 1 : 0
