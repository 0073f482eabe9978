// `npm run bench:hooks`, second part: how much longer a call of a real agent takes with hooks. The model answers at once, so a
// call takes from one request to the next: the hooks, the command, and what the agent does besides.
import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { type AgentName, agentNames } from './agents.js'
import { openLab } from './lab.js'
import { differentSteps, fillProject } from './scenarios.js'

const CALLS = 20
const work = differentSteps(CALLS)
// with and without hooks in turns, since the machine is not equally fast all the time
const PAIRS = 3
// what nobody notices beside a model; a busy machine, on which Node takes long to start, misses it
const BUDGET_S = 0.12

const rows: string[] = []
afterAll(() => {
  const heading = 'median s of one call  without  with   more   ratio  node -e 0  more / node'
  console.log([heading, ...rows].join('\n'))
})

test.each(agentNames)('%s', { timeout: 600_000 }, async (name) => {
  const times: Record<'without' | 'with' | 'node', number[]> = { without: [], with: [], node: [] }
  for (let pair = 0; pair < PAIRS; pair++) {
    times.node.push(...Array.from({ length: CALLS }, startNode))
    times.without.push(...(await measure(name, false)))
    times.with.push(...(await measure(name, true)))
  }
  const [without, guarded] = [median(times.without), median(times.with)]
  const node = median(times.node)
  const more = guarded - without
  const numbers = [without, guarded, more].map((seconds) => seconds.toFixed(3))
  const ratios = `${(guarded / without).toFixed(2)}   ${node.toFixed(3)}      ${(more / node).toFixed(2)}`
  rows.push(`${name.padEnd(20)}  ${numbers.join('  ')}  ${ratios}`)
  // a goal for the agent that most people use; the others are shown
  if (name === 'claude-code') expect(more).toBeLessThanOrEqual(BUDGET_S)
})

/** Seconds between the requests of one run, each with one call of a short command. */
async function measure(name: AgentName, hasHooks: boolean): Promise<number[]> {
  const at: number[] = []
  await using lab = await openLab(name, (turn) => {
    at.push(performance.now())
    return work(turn)
  })
  await fillProject(lab)
  if (hasHooks) expect(await lab.unloop('init', name, '--yes')).toMatchObject({ code: 0 })
  await lab.run('Do all parts')
  expect(at).toHaveLength(CALLS + 1)
  return at.slice(1).map((time, index) => (time - (at[index] as number)) / 1000)
}

/** Seconds that a Node takes to do nothing: on a busy machine, both take longer. */
function startNode(): number {
  const start = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return (performance.now() - start) / 1000
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
