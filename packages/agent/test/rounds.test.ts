import { createGuard } from 'unloop'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import type { AgentState } from '../src/session.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

function mailer() {
  const runs: string[] = []
  const tool = defineTool({
    name: 'send_mail',
    description: 'sends a mail',
    parameters: z.object({ to: z.string() }),
    effect: 'changes',
    execute({ to }) {
      runs.push(to)
      return 'Sent.'
    },
  })
  return { tool, runs }
}

const sending = (...people: string[]) =>
  calling(...people.map((to) => ['send_mail', { to }] as const))

it.each([
  ['two equal calls', ['ann', 'ann']],
  ['two different calls', ['ann', 'bob']],
  ['three equal calls', ['ann', 'ann', 'ann']],
  ['three different calls', ['ann', 'bob', 'eve']],
  ['two equal calls and another', ['ann', 'bob', 'ann']],
])('refuses rounds of %s as a whole, before they run', async (_, people) => {
  const { tool, runs } = mailer()
  const agent = createAgent({ model: scriptedModel(() => sending(...people)), tools: [tool] })
  const events = await collect(agent.sendMessageStream('Invite them.'))
  expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { action: 'stop' } })
  const results = ofType(events, 'tool-result')
  const refused = results.filter(({ output }) => output.startsWith('Not run. '))
  expect(refused).toHaveLength(people.length)
  expect(runs).toHaveLength(results.length - people.length)
})

it('does nothing about what a guard finds that only observes', async () => {
  const { tool, runs } = mailer()
  const guard = createGuard({ mode: 'observe' })
  const model = scriptedModel((turn) => (turn < 12 ? sending('ann') : says('Done.')))
  const agent = createAgent({ model, tools: [tool], guard })
  const events = await collect(agent.sendMessageStream('Invite her.'))
  expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
  expect(ofType(events, 'loop_warning')).toEqual([])
  expect(agent.history.filter((message) => 'from' in message)).toEqual([])
  expect(guard.findings.map(({ action }) => action)).toContain('stop')
  expect(runs).toHaveLength(12)
})

it('starts over when a mode that only observed becomes one that enforces', async () => {
  const { tool } = mailer()
  const model = scriptedModel((turn) =>
    turn < 12 ? sending('ann') : turn < 14 ? sending(`bob${turn}`) : says('Done.'),
  )
  const agent = createAgent({ model, tools: [tool], guardMode: 'observe' })
  const events = []
  for await (const event of agent.sendMessageStream('Invite them.')) {
    events.push(event)
    if (event.type === 'turn-start' && event.turn === 13) agent.guardMode = 'enforce'
  }
  expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
})

it('goes on from any state that was saved as if nothing had happened', async () => {
  const open = (saved?: AgentState, entries: unknown[] = []) => {
    const { tool } = mailer()
    const states: { state: AgentState; entries: unknown[] }[] = []
    const kept = [...entries]
    const agent = createAgent({
      model: scriptedModel(() => sending('ann', 'bob')),
      tools: [tool],
      log: {
        append: (entry) => kept.push(structuredClone(entry)),
        replace: (all) => kept.splice(0, kept.length, ...structuredClone(all)),
        state: (state) => states.push(structuredClone({ state, entries: [...kept] })),
        rename: () => {},
        changeModel: () => {},
      },
      ...(saved && {
        saved: {
          header: { id: '', model: '', folder: '', createdAt: '' },
          entries: structuredClone(entries) as never,
          state: saved,
        },
      }),
    })
    return { agent, states }
  }
  const whole = open()
  await collect(whole.agent.sendMessageStream('Invite them.', undefined, 'p1'))
  const wordsOf = (agent: typeof whole.agent) =>
    agent.history.map(({ role, content }) =>
      typeof content === 'string'
        ? content
        : `${role}: ${content.map((part) => 'output' in part && part.output)}`,
    )
  const running = whole.states.filter(({ state }) => !state.stopped)
  expect(running.length).toBeGreaterThan(5)
  for (const { state, entries } of running) {
    const { agent } = open(state, entries)
    await collect(agent.resume())
    expect(wordsOf(agent)).toEqual(wordsOf(whole.agent))
    expect(agent.guard.findings.map(({ action }) => action)).toEqual(
      whole.agent.guard.findings.map(({ action }) => action),
    )
  }
})
