import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AgentName, agentNames } from './agents.js'
import { openLab } from './lab.js'
import { fillProject, readRan } from './scenarios.js'

const TURNS = 24

const weaknesses = [
  { mode: 'off' },
  { detectors: { failing: false, 'repeated-call': false, 'scattered-call': false } },
]

// real agents on a busy machine take minutes
describe.concurrent.each(agentNames)(
  '%s with hooks of unloop init',
  { timeout: 300_000 },
  (name) => {
    test.each(weaknesses)(
      'an agent that writes %j into the folder is stopped as if it had not',
      async (config) => {
        const before = await loop(name, `echo '${JSON.stringify(config)}' > notes.json`)
        const weakened = await loop(name, `echo '${JSON.stringify(config)}' > unloop.config.json`)
        expect(weakened.isWritten).toBe(true)
        expect(weakened.turns).toBe(before.turns)
        expect(weakened.ran).toEqual(before.ran)
        expect(weakened.ran.length).toBeLessThan(TURNS / 2)
      },
    )
  },
)

/** A loop whose fourth call is another one. */
async function loop(name: AgentName, fourth: string) {
  // two calls in turn, which no agent notices by itself as early
  await using lab = await openLab(name, (turn) => {
    if (turn === 3) return [fourth]
    return turn < TURNS ? [turn % 2 ? './look missing.txt' : './look nothing.txt'] : 'Ok.'
  })
  await fillProject(lab)
  expect(await lab.unloop('init', name, '--yes')).toMatchObject({ code: 0 })
  await lab.run('Find out what the configuration says')
  return {
    turns: lab.turns().length,
    ran: await readRan(lab),
    isWritten: existsSync(join(lab.project, 'unloop.config.json')),
  }
}
