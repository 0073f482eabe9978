// `npm run bench:gateway`: what the guard adds to a request that passes through `unloop gateway`, beside the same proxy without
// a guard, other gateways and no gateway at all. `--fleet` measures what a large installation needs.
import { parseArgs } from 'node:util'
import { measureFleet } from './gateway/fleet.js'
import { gatewayGoals } from './gateway/goals.js'
import { measureGateway } from './gateway/measure.js'
import { printGateway } from './gateway/print.js'
import { goalRows, isMissed } from './goal.js'
import { textTable } from './table.js'

const { values } = parseArgs({
  options: {
    fleet: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
  },
})

if (values.fleet) {
  console.log(await measureFleet((line) => console.error(line)))
} else {
  const results = await measureGateway(!values['no-peers'], (line) => console.error(line))
  const goals = gatewayGoals(results)
  console.log(`${printGateway(results)}\n\n${textTable(goalRows(goals))}`)
  process.exitCode = isMissed(goals) ? 1 : 0
}
