import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AgentName, agentNames } from './agents.js'
import { openLab } from './lab.js'
import type { Wishes } from './model.js'
import { createNormaliser, difference, withoutTimes } from './normalise.js'
import { fillProject, healthy, readRan } from './scenarios.js'

// one after the other: qwen-code loses the output of a command on a busy machine
describe.each(agentNames)('%s with hooks of unloop init', (name) => {
  for (const [title, wishes] of Object.entries(healthy)) {
    test(`${title}: the provider sees the same requests as without hooks`, async () => {
      const plain = await requestsOf(name, wishes, false)
      const guarded = await requestsOf(name, wishes, true)
      expect(plain.ran.length).toBeGreaterThan(8)
      expect(guarded.ran).toEqual(plain.ran)
      expect(guarded.requests).toHaveLength(plain.requests.length)
      const differences = guarded.requests.map((text, at) => difference(text, plain.requests[at]))
      expect(differences.filter((text) => text !== '')).toEqual([])
    })
  }
})

/** What a run asks of the provider, and the commands that ran. */
async function requestsOf(name: AgentName, wishes: Wishes, withHooks: boolean) {
  await using lab = await openLab(name, wishes)
  await fillProject(lab)
  if (withHooks) expect(await lab.unloop('init', name, '--yes')).toMatchObject({ code: 0 })
  const { stdout } = await lab.run('Find out what the configuration says')
  expect(stdout).toContain('Ok.')
  const normalise = createNormaliser(dirname(lab.home))
  const requests = lab.provider.exchanges.map(({ body }) =>
    withoutTimes(normalise(JSON.stringify(body))),
  )
  return { requests, ran: await readRan(lab) }
}
