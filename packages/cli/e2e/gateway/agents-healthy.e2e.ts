import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AgentName, agentNames } from '../agents/agents.js'
import { type Lab, openLab } from '../agents/lab.js'
import { createNormaliser, difference, withoutTimes } from '../agents/normalise.js'
import { fillProject, healthy, readRan } from '../agents/scenarios.js'
import { openGuarded } from './guarded-lab.js'
import { endToEnd, type Hop, headerOf, startHop, wireOf } from './hop.js'

const TITLE = 'a run of different steps'
const wishes = healthy[TITLE]

// two runs of 15 requests each
const PATIENCE_MS = 600_000

// one after the other: qwen-code loses the output of a command on a busy machine
describe.each(agentNames)('%s through unloop gateway', (name) => {
  test(`${TITLE}: the same on the wire as without it, in both directions`, {
    timeout: PATIENCE_MS,
  }, async () => {
    await using guarded = await openGuarded(name, wishes)
    const ran = await run(guarded)
    expect(ran.length).toBeGreaterThan(8)
    const { before, after } = guarded
    for (const one of before.passed) expect(headerOf(one, 'x-unloop-verdict')).toBe('go')
    expect(wireOf(before)).toEqual(wireOf(after))

    await using plain = await openPlain(name)
    expect(await run(plain)).toEqual(ran)
    const [seen, usual] = [tellOf(guarded, guarded.before), tellOf(plain, plain.before)]
    expect(seen).toHaveLength(usual.length)
    for (const [at, one] of seen.entries()) {
      expect(difference(one.body, usual[at]?.body)).toBe('')
      expect({ ...one, body: '' }).toEqual({ ...usual[at], body: '' })
    }
  })
})

/** A lab with nothing but a hop between agent and provider. */
async function openPlain(name: AgentName): Promise<Lab & { before: Hop }> {
  let before = {} as Hop
  const lab = await openLab(name, wishes, {
    pauseMs: 1,
    async through(url) {
      before = await startHop(url)
      return before
    },
  })
  await fillProject(lab)
  return { ...lab, before }
}

/** Runs the agent to its end; gives the commands that ran. */
async function run(lab: Lab): Promise<string[]> {
  const { code, stdout } = await lab.run('Find out what the configuration says')
  expect(stdout).toContain('Ok.')
  expect(code).toBe(0)
  return readRan(lab)
}

/** What two runs have in common: no ids, times and paths; values of headers are compared on both sides of the gateway. */
function tellOf({ home }: Lab, { passed }: Hop) {
  const normalise = createNormaliser(dirname(home))
  return passed.map((one) => {
    const { headers, answerHeaders, body, ...rest } = endToEnd(one)
    return {
      ...rest,
      headers: headers.map(([header]) => header),
      answerHeaders: answerHeaders.filter(([header]) => header !== 'Date'),
      body: withoutTimes(normalise(body)),
    }
  })
}
