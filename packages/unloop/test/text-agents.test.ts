import { type TextAgent, textAgents } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, createGuard } from '../src/index.js'

type Round = { said: string; answered: string }

const toEvents = (task: string, rounds: readonly Round[], hasTurns: boolean): AgentEvent[] => [
  { type: 'prompt', text: task },
  ...rounds.flatMap(({ said, answered }): AgentEvent[] => [
    ...(hasTurns ? [{ type: 'turn-start' } as const] : []),
    { type: 'text', text: said },
    ...(hasTurns ? [{ type: 'turn-end' } as const] : []),
    { type: 'prompt', text: answered },
  ]),
]

const times = (count: number, make: (at: number) => Round) =>
  Array.from({ length: count }, (_, at) => make(at))

/** What is done about rounds, and after how many of them it ends; the guard is saved and loaded after each. */
function play({ task }: TextAgent, rounds: readonly Round[], hasTurns: boolean) {
  let guard = createGuard()
  const actions: string[] = []
  let prompts = 0
  for (const event of toEvents(task, rounds, hasTurns)) {
    const finding = guard.observe(event)
    if (finding) actions.push(finding.action)
    if (guard.stopped) break
    if (event.type !== 'prompt') continue
    prompts++
    guard = createGuard({}, JSON.parse(JSON.stringify(guard.snapshot())))
  }
  return { actions, rounds: prompts }
}

describe.each(textAgents.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  describe.each([true, false])('with turns: %s', (hasTurns) => {
    it('is advised and stopped in a loop', () => {
      const { actions, rounds } = play(
        agent,
        times(60, () => agent.loop),
        hasTurns,
      )
      expect(actions[0]).toBe('warn')
      expect(actions.at(-1)).toBe('stop')
      expect(rounds).toBeLessThan(12)
    })

    it('is left alone while it works', () => {
      expect(play(agent, times(60, agent.work), hasTurns).actions).toEqual([])
    })
  })

  it('stays stopped whatever the program says, until the person asks for something', () => {
    const guard = createGuard()
    const loop = toEvents(
      agent.task,
      times(60, () => agent.loop),
      true,
    )
    for (const event of loop) guard.observe(event)
    expect(guard.stopped).toBe(true)
    guard.observe({ type: 'prompt', text: 'Leave it, and look at the logout instead.' })
    expect(guard.stopped).toBe(false)
  })
})

const waiting = textAgents.flatMap((agent) => (agent.poll ? [[agent, agent.poll] as const] : []))

it.each(waiting)('$name may wait for something', (agent, poll) => {
  for (const hasTurns of [true, false]) {
    const { actions } = play(agent, times(20, poll), hasTurns)
    expect(actions.filter((action) => action !== 'warn')).toEqual([])
  }
})

describe('a person', () => {
  const said = (text: string): AgentEvent[] => [
    { type: 'turn-start' },
    { type: 'text', text },
    { type: 'turn-end' },
  ]

  it.each(['yes', 'continue', 'Run the tests again.'])('may say the same again: %s', (words) => {
    const guard = createGuard()
    const found = [
      { type: 'prompt', text: 'Fix the login.' } as const,
      ...said('Shall I change the cookie of the session, too?'),
      { type: 'prompt', text: words } as const,
      ...said('Shall I change the header of the router, too?'),
      { type: 'prompt', text: words } as const,
      ...said('All of that is done now.'),
    ].flatMap((event) => guard.observe(event) ?? [])
    expect(found).toEqual([])
  })
})
