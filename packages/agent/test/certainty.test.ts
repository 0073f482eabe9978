import { createOracle, ORACLE_ADVICE } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { createSubAgent } from '../src/sub-agent.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, type ScriptedModel, says, scriptedModel } from './scripted-model.js'

const look = defineTool({
  name: 'look',
  description: 'looks',
  parameters: z.object({ n: z.number() }),
  effect: 'reads',
  execute: ({ n }) => `answer ${n}`,
})

/** A model that looks so often, always somewhere else, and then is done. */
const looking = (times: number) =>
  scriptedModel((turn) => (turn < times ? calling(['look', { n: turn }]) : says('done')))

/** How often the model was told something by the guard, in the last request. */
const toldIn = ({ requests }: ScriptedModel) =>
  requests.at(-1)?.messages.filter((message) => message.role === 'user' && message.from === 'guard')

describe('a loop that is only likely', () => {
  it.each(['tool-call', 'tool-result', 'turn-start', 'turn-end'] as const)(
    'is told the model once, and nothing is refused: seen with a %s',
    async (type) => {
      const model = looking(8)
      const oracle = createOracle(type, (_, count) => (count > 2 ? 'likely' : undefined))
      const agent = createAgent({ model, tools: [look], guard: { detectors: [oracle] } })
      const events = await collect(agent.sendMessageStream('go'))
      expect(ofType(events, 'loop_warning')).toMatchObject([
        { finding: { certainty: 'likely', action: 'warn', strike: 1 } },
      ])
      expect(toldIn(model)).toMatchObject([{ content: ORACLE_ADVICE }])
      const results = ofType(events, 'tool-result')
      expect(results.map(({ output }) => output)).toEqual(
        Array.from({ length: 8 }, (_, n) => `answer ${n}`),
      )
      expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
      expect(agent.stopped).toBeUndefined()
    },
  )

  it('does not cut what is being said', async () => {
    const words = ['one ', 'two ', 'three ', 'four']
    const model = scriptedModel([
      [...words.map((text) => ({ type: 'text' as const, text })), ...calling(['look', { n: 1 }])],
      says('done'),
    ])
    const oracle = createOracle('text', () => 'likely', { plane: 'text' })
    const agent = createAgent({ model, tools: [look], guard: { detectors: [oracle] } })
    const events = await collect(agent.sendMessageStream('go'))
    expect(ofType(events, 'text').map(({ text }) => text)).toEqual([...words, 'done'])
    expect(ofType(events, 'loop_warning')).toHaveLength(1)
    expect(model.aborted).toEqual([])
    expect(toldIn(model)).toMatchObject([{ content: ORACLE_ADVICE }])
  })

  it('counts as the warning where it turns out to be certain', async () => {
    const oracle = createOracle('tool-call', (_, count) => (count > 3 ? 'certain' : 'likely'))
    const agent = createAgent({
      model: looking(8),
      tools: [look],
      guard: { detectors: [oracle], attended: true },
    })
    const events = await collect(agent.sendMessageStream('go'))
    const found = [...ofType(events, 'loop_warning'), ...ofType(events, 'loop_detected')]
    expect(found.map(({ finding }) => `${finding.certainty} ${finding.action}`)).toEqual([
      'likely warn',
      'certain block',
      'certain ask',
    ])
  })

  it('of a sub-agent is told its caller in other words than one that is certain', async () => {
    for (const [certainty, words] of [
      ['likely', 'scout is struggling: the oracle was asked 3 times'],
      ['certain', 'scout is stuck: the oracle was asked 3 times'],
    ] as const) {
      const scout = createSubAgent({
        name: 'scout',
        description: '',
        model: looking(3),
        tools: [look],
        guardMode: 'off',
      })
      const model = scriptedModel([calling(['scout', { task: 'look' }]), says('done')])
      const oracle = createOracle('tool-call', (_, count) => (count === 3 ? certainty : undefined))
      const agent = createAgent({ model, tools: [scout], guard: { detectors: [oracle] } })
      await collect(agent.sendMessageStream('go'))
      expect(toldIn(model)).toMatchObject([{ content: expect.stringContaining(words) }])
    }
  })
})
