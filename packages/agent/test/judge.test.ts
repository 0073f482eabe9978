import { createGuard } from 'unloop'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, createAgent } from '../src/agent.js'
import { textOf } from '../src/message.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel, type Turn } from './scripted-model.js'

const verdict = (confidence: number): Turn => [
  { type: 'usage', inputTokens: 100, outputTokens: 10 },
  ...says(
    JSON.stringify({
      unproductive_state_analysis: 'round and round',
      unproductive_state_confidence: confidence,
    }),
  ),
]
const wander = defineTool({
  name: 'wander',
  description: '',
  parameters: z.object({ n: z.number() }),
  effect: 'reads',
  execute: ({ n }) => `place ${'abcdefghijklmnop'[n % 16]}${Math.sqrt(n)} unlike all others`,
})
const wandering = (turn: number) => calling(['wander', { n: turn }])

/** An agent that goes somewhere else each turn, and a judge who has had enough of it. */
function judged(options: Partial<AgentOptions> = {}, turns: readonly Turn[] = [verdict(0.95)]) {
  const judge = scriptedModel(turns)
  const model = scriptedModel((turn) => (turn < 30 ? wandering(turn) : says('I am there.')))
  const agent = createAgent({
    model,
    tools: [wander],
    judge: { model: judge, firstTurn: 5 },
    ...options,
  })
  return { agent, judge, model }
}

const STOPS: Partial<AgentOptions> = { guard: { ladder: { calls: ['stop'] } } }

describe('a judge', () => {
  it('is asked in time, a stronger one has to agree, and their cost is counted', async () => {
    const strong = scriptedModel([verdict(0.93)])
    const { agent } = judged({
      ...STOPS,
      judge: { model: scriptedModel([verdict(0.95)]), confirm: strong, firstTurn: 5 },
    })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { detector: 'judge' } })
    expect(ofType(events, 'turn-start')).toHaveLength(5)
    expect(agent.usage.prompt).toMatchObject({
      judgeTokens: 220,
      inputTokens: 200,
      outputTokens: 20,
    })
  })

  it('climbs the ladder of the guard: the model is told first, and the run goes on', async () => {
    const { agent, model } = judged()
    const events = await collect(agent.sendMessageStream('go'))
    const warnings = ofType(events, 'loop_warning').map(({ finding }) => finding)
    expect(warnings.map(({ detector, action }) => [detector, action])).toEqual([
      ['judge', 'warn'],
      ['judge', 'block'],
    ])
    expect(model.requests[4]?.messages.at(-1)).toEqual({
      role: 'user',
      content: warnings[0]?.advice,
      from: 'guard',
    })
    expect(events.at(-1)).toMatchObject({
      type: 'loop_detected',
      finding: { detector: 'judge', action: 'stop', strike: 3 },
    })
    expect(agent.guard.findings).toHaveLength(3)
    expect(agent.stopped?.wasted.events).toBeGreaterThan(20)
  })

  it('is only recorded by a guard that observes', async () => {
    const { agent } = judged({ guardMode: 'observe' })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(ofType(events, 'loop_warning')).toEqual([])
    expect(agent.guard.findings[0]).toMatchObject({ detector: 'judge' })
  })

  it('is not asked, and costs nothing, where the guard is off or disabled', async () => {
    const guard = createGuard()
    guard.disable()
    for (const options of [{ guardMode: 'off' as const }, { guard }]) {
      const { agent, judge } = judged(options)
      await collect(agent.sendMessageStream('go'))
      expect(judge.requests).toEqual([])
      expect(agent.usage.session.judgeTokens).toBe(0)
    }
  })

  it('counts the turns in which it was not asked', async () => {
    const { agent, judge } = judged({ guardMode: 'off' })
    for await (const event of agent.sendMessageStream('go')) {
      if (event.type === 'turn-start' && event.turn === 9) agent.guardMode = 'enforce'
      if (event.type === 'turn-start' && event.turn === 11) break
    }
    expect(judge.requests).toHaveLength(1)
  })

  it.each<[string, readonly Turn[]]>([
    ['says no', [verdict(0.2)]],
    ['fails', [[new Error('busy')]]],
    ['talks nonsense', [says('I do not think so')]],
  ])('that %s does not disturb the agent', async (_, turns) => {
    const { agent } = judged({}, turns)
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
  })
})

describe('the choice after a judge', () => {
  const stopped = async (firstTurn = 5) => {
    const made = judged({ ...STOPS, judge: { model: scriptedModel([verdict(0.95)]), firstTurn } })
    await collect(made.agent.sendMessageStream('one', undefined, 'p1'))
    return made
  }

  it('to continue once lets its next verdict pass', async () => {
    const { agent } = await stopped()
    agent.choose({ type: 'continue-once' })
    await collect(agent.resume())
    expect(agent.turn).toBe(11)
  })

  it('to go back takes out what it was shown, and nothing before', async () => {
    const { agent } = await stopped(16)
    expect(agent.history).toHaveLength(1 + 15 * 2 + 1)
    agent.choose({ type: 'go-back' })
    expect(agent.history).toHaveLength(1 + 5 * 2)
    expect(agent.history.at(-1)?.role).toBe('tool')
  })

  it('to go back leaves the prompts before alone', async () => {
    const answers = [says('A valuable answer.')]
    const model = scriptedModel((turn) => answers[turn] ?? wandering(turn))
    const { agent } = judged({ ...STOPS, model })
    await collect(agent.sendMessageStream('one'))
    await collect(agent.sendMessageStream('two'))
    expect(agent.stopped?.detector).toBe('judge')
    agent.choose({ type: 'go-back' })
    expect(agent.history.map(textOf)).toEqual(['one', 'A valuable answer.', 'two'])
  })

  it('to disable is the last that is heard of it', async () => {
    const { agent } = await stopped()
    agent.choose({ type: 'disable' })
    const spent = agent.usage.session.judgeTokens
    const events = await collect(agent.resume())
    expect(events.at(-1)?.type).toBe('finished')
    expect(agent.usage.session.judgeTokens).toBe(spent)
  })
})
