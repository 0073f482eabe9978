import { parseArgs } from 'node:util'
import { isMissed } from './goal.js'
import { loadPeers } from './published/load.js'
import { checkBudgets } from './speed/budgets.js'
import { measureSpeed } from './speed/measure.js'
import { printSpeed } from './speed/print.js'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
})

const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
const { peers, missing } = values['no-peers'] ? { peers: [], missing: [] } : await loadPeers()
if (missing.length > 0) {
  console.error(`Not installed, so not measured: ${missing.join(', ')}.`)
  console.error('`npm run bench:peers` installs them outside the workspace.\n')
}

const results = await measureSpeed(seed, peers, (line) => console.error(line))
const budgets = checkBudgets(results)
console.log(
  values.json
    ? JSON.stringify({ ...results, budgets }, null, 2)
    : `\n${printSpeed(results, budgets)}`,
)
process.exitCode = isMissed(budgets) ? 1 : 0
