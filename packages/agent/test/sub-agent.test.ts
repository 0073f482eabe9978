import { createOracle } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { createSubAgent } from '../src/sub-agent.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

const lookTool = defineTool({
  name: 'look',
  description: '',
  parameters: z.object({}),
  effect: 'reads',
  execute: () => 'nothing here',
})

const stuck = () => scriptedModel(() => calling(['look']))

/** A guard that warns at the fourth look. */
const atFourth = () => ({
  detectors: [
    createOracle('tool-call', ({ name }, count) =>
      name === 'look' && count >= 4 ? 'certain' : undefined,
    ),
  ],
})

describe('a sub-agent', () => {
  it('does a task and gives back its last message', async () => {
    const scout = createSubAgent({
      name: 'scout',
      description: '',
      model: scriptedModel([calling(['look']), says('There is nothing.')]),
      tools: [lookTool],
    })
    const model = scriptedModel([calling(['scout', { task: 'look' }]), says('done')])
    const events = await collect(createAgent({ model, tools: [scout] }).sendMessageStream('go'))
    expect(ofType(events, 'tool-result').at(-1)).toMatchObject({
      name: 'scout',
      output: 'There is nothing.',
    })
    expect(ofType(events, 'tool-call').map(({ name, agent }) => [name, agent])).toEqual([
      ['scout', undefined],
      ['look', 'scout'],
    ])
  })

  it('costs its caller what it costs', async () => {
    const usage = { type: 'usage' as const, inputTokens: 100, outputTokens: 10 }
    const scout = createSubAgent({
      name: 'scout',
      description: '',
      model: scriptedModel([
        [usage, ...calling(['look'])],
        [usage, ...says('There is nothing.')],
      ]),
      tools: [lookTool],
    })
    const model = scriptedModel([[usage, ...calling(['scout', { task: 'look' }])], says('done')])
    const agent = createAgent({ model, tools: [scout] })
    await collect(agent.sendMessageStream('go'))
    expect(agent.usage.prompt).toMatchObject({ inputTokens: 300, outputTokens: 30 })
    expect(agent.usage.session).toEqual(agent.usage.prompt)
  })

  it('costs its caller what its judge costs', async () => {
    const usage = { type: 'usage' as const, inputTokens: 100, outputTokens: 10 }
    const opinion = says('{ "unproductive_state_confidence": 0.1 }')
    const scout = createSubAgent({
      name: 'scout',
      description: '',
      model: scriptedModel([calling(['look']), calling(['look']), says('There is nothing.')]),
      tools: [lookTool],
      judge: { model: scriptedModel([[usage, ...opinion]], { name: 'test/judge' }), firstTurn: 1 },
    })
    const model = scriptedModel([calling(['scout', { task: 'look' }]), says('done')])
    const agent = createAgent({ model, tools: [scout] })
    const events = await collect(agent.sendMessageStream('go'))
    expect(ofType(events, 'usage')).toEqual([
      { ...usage, model: 'test/judge', purpose: 'judge', agent: 'scout' },
    ])
    expect(agent.usage.prompt).toEqual({
      inputTokens: 100,
      outputTokens: 10,
      cachedTokens: 0,
      judgeTokens: 110,
    })
  })

  it('that gets stuck is stopped by its own guard, and the caller reads why', async () => {
    const scout = createSubAgent({
      name: 'scout',
      description: '',
      model: stuck(),
      tools: [lookTool],
    })
    const model = scriptedModel([calling(['scout', { task: 'look' }]), says('I give up.')])
    const agent = createAgent({ model, tools: [scout] })
    const events = await collect(agent.sendMessageStream('go'))
    const result = ofType(events, 'tool-result').find(({ name }) => name === 'scout')
    expect(result).toMatchObject({ isError: true })
    expect(result?.output).toMatch(/scout got stuck and was stopped: look was called/)
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
  })

  it('that gets stuck in the same way again is the loop of its caller', async () => {
    const scout = createSubAgent({
      name: 'scout',
      description: '',
      model: stuck(),
      tools: [lookTool],
    })
    let task = 0
    const model = scriptedModel(() => calling(['scout', { task: `look again, ${++task}` }]))
    const agent = createAgent({ model, tools: [scout], guard: { attended: true } })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)).toMatchObject({
      type: 'loop_detected',
      finding: { agent: 'scout', tool: 'look', action: 'ask' },
    })
    expect(task).toBe(2)
  })

  it('whose loop only the guard of its caller sees is told of, to the person and to the model', async () => {
    const scout = createSubAgent({
      name: 'scout',
      description: '',
      model: scriptedModel((turn) => (turn < 4 ? calling(['look']) : says('Nothing.'))),
      tools: [lookTool],
      guardMode: 'off',
    })
    const model = scriptedModel([calling(['scout', { task: 'look' }]), says('done')])
    const agent = createAgent({ model, tools: [scout], guard: atFourth() })
    const events = await collect(agent.sendMessageStream('go'))
    const warnings = ofType(events, 'loop_warning')
    expect(warnings).toMatchObject([{ finding: { action: 'warn', agent: 'scout' } }])
    const told = model.requests[1]?.messages.at(-1)
    expect(told).toMatchObject({
      from: 'guard',
      content: expect.stringMatching(/^scout is stuck: the oracle was asked 4 times/),
    })
  })

  it('whose own guard tells of a loop does not make its caller tell of it again', async () => {
    const scout = createSubAgent({
      name: 'scout',
      description: '',
      model: scriptedModel((turn) => (turn < 4 ? calling(['look']) : says('Nothing.'))),
      tools: [lookTool],
      guard: atFourth(),
    })
    const model = scriptedModel([calling(['scout', { task: 'look' }]), says('done')])
    const agent = createAgent({ model, tools: [scout], guard: atFourth() })
    const events = await collect(agent.sendMessageStream('go'))
    expect(ofType(events, 'loop_warning')).toMatchObject([{ agent: 'scout' }])
  })

  it('ends with its caller', async () => {
    const abort = new AbortController()
    const model = stuck()
    const scout = createSubAgent({ name: 'scout', description: '', model, tools: [lookTool] })
    const agent = createAgent({
      model: scriptedModel(() => calling(['scout', { task: 'look' }])),
      tools: [scout],
    })
    const events = []
    for await (const event of agent.sendMessageStream('go', abort.signal)) {
      events.push(event)
      if (event.agent === 'scout') abort.abort()
    }
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
    expect(model.requests.length).toBeLessThan(3)
  })
})

describe('personas', () => {
  const personas = {
    planner: { instructions: 'You plan.' },
    coder: { instructions: 'You write code.' },
  }

  it('hand the task on, each with its own instructions', async () => {
    const model = scriptedModel([
      calling(['hand_off', { to: 'coder', text: 'write it' }]),
      says('written'),
    ])
    const agent = createAgent({ model, personas, instructions: 'Be brief.' })
    const events = await collect(agent.sendMessageStream('go'))
    expect(ofType(events, 'handoff')).toEqual([
      { type: 'handoff', agent: 'planner', to: 'coder', text: 'write it' },
    ])
    expect(model.requests.map(({ system }) => system)).toEqual([
      'Be brief.\n\nYou plan.',
      'Be brief.\n\nYou write code.',
    ])
    expect(ofType(events, 'text')).toEqual([{ type: 'text', text: 'written', agent: 'coder' }])
  })

  it('leave the patience the person asked for to the one who is asked', async () => {
    const model = scriptedModel((turn) => (turn < 8 ? calling(['look']) : says('Eight times.')))
    const agent = createAgent({ model, tools: [lookTool], personas })
    const events = await collect(agent.sendMessageStream('Please run look eight times.'))
    expect(ofType(events, 'loop_warning')).toEqual([])
    expect(events.at(-1)?.type).toBe('finished')
  })

  it('cannot hand it to somebody who is not there', async () => {
    const model = scriptedModel([
      calling(['hand_off', { to: 'nobody', text: 'write it' }]),
      says('then I do it'),
    ])
    const events = await collect(createAgent({ model, personas }).sendMessageStream('go'))
    expect(ofType(events, 'tool-result')[0]).toMatchObject({ isError: true, name: 'hand_off' })
    expect(ofType(events, 'handoff')).toEqual([])
  })
})
