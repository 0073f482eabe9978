// `npm run bench:gateway`: what the guard adds to a request that passes through `unloop gateway`, beside the same proxy without
// a guard, other gateways and no gateway at all, and what others notice of somebody who sends hostile bodies. `--only-hostile` measures
// just that, `--fleet` what a large installation needs.
import { parseArgs } from 'node:util'
import { measureFleet } from './gateway/fleet.js'
import { gatewayGoals, hostileGoals } from './gateway/goals.js'
import { measureHostile } from './gateway/hostile.js'
import { measureGateway } from './gateway/measure.js'
import { printGateway, printHostile } from './gateway/print.js'
import { type Goal, goalRows, isMissed } from './goal.js'
import { textTable } from './table.js'

const { values } = parseArgs({
  options: {
    fleet: { type: 'boolean', default: false },
    'only-hostile': { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
  },
})

const log = (line: string) => console.error(line)
if (values.fleet) {
  console.log(await measureFleet(log))
} else {
  const goals: Goal[] = []
  if (!values['only-hostile']) {
    const results = await measureGateway(!values['no-peers'], log)
    goals.push(...gatewayGoals(results))
    console.log(`${printGateway(results)}\n`)
  }
  const hostile = await measureHostile(log)
  goals.push(...hostileGoals(hostile))
  console.log(`${printHostile(hostile)}\n\n${textTable(goalRows(goals))}`)
  process.exitCode = isMissed(goals) ? 1 : 0
}
