import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, createAgent } from '../src/agent.js'
import { ModelError } from '../src/model.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel, type Turn } from './scripted-model.js'

const look = defineTool({
  ...{ name: 'look', description: '', parameters: z.object({}), effect: 'reads' },
  execute: () => 'nothing here',
})
const FAILS: Turn = [{ type: 'text', text: 'Let me' }, new ModelError('refused', 'no')]

const start = (turns: Parameters<typeof scriptedModel>[0], options?: Partial<AgentOptions>) => {
  const model = scriptedModel(turns)
  return { model, agent: createAgent({ model, tools: [look], ...options }) }
}

const REQUEST = { role: 'user', content: 'go' }

describe('retry', () => {
  it('asks again after an error, with the request once and nothing of the answer', async () => {
    const { agent, model } = start([calling(['look']), FAILS, says('Here.')])
    await collect(agent.sendMessageStream('go'))
    const events = await collect(agent.retry())
    expect(model.requests.at(-1)?.messages).toEqual([REQUEST])
    expect(events[0]).toMatchObject({ type: 'prompt', text: 'go' })
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(agent.turn).toBe(1)
  })

  it('asks again after an abort', async () => {
    const { agent, model } = start([calling(['look']), says('Here.')])
    const abort = new AbortController()
    for await (const event of agent.sendMessageStream('go', abort.signal)) {
      if (event.type === 'tool-result') abort.abort()
    }
    await collect(agent.retry())
    expect(model.requests.at(-1)?.messages).toEqual([REQUEST])
  })

  it('asks again after a loop, whose events the guard has forgotten', async () => {
    const { agent, model } = start(() => calling(['look']))
    const first = await collect(agent.sendMessageStream('go on'))
    const again = await collect(agent.retry())
    expect(agent.stopped?.detail).toBe(ofType(first, 'loop_detected')[0]?.finding.detail)
    expect(again.map(({ type }) => type)).toEqual(first.map(({ type }) => type))
    expect(model.requests[ofType(first, 'turn-start').length]?.messages).toHaveLength(1)
  })

  it('asks again after the limit of turns, and counts them from the start', async () => {
    const { agent } = start((turn) => (turn < 3 ? calling(['look']) : says('Here.')), {
      maxTurns: 2,
    })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)).toEqual({ type: 'turn-limit', turns: 2, limit: 2 })
    await collect(agent.retry())
    expect(agent.turn).toBe(2)
    expect(agent.history.filter(({ role }) => role === 'user')).toHaveLength(1)
  })

  it('asks again after an answer, and keeps what was before the request', async () => {
    const { agent } = start([says('Hello.'), says('One.'), says('Two.')])
    await collect(agent.sendMessageStream('hi'))
    await collect(agent.sendMessageStream('go'))
    await collect(agent.retry())
    expect(agent.history).toMatchObject([
      { content: 'hi' },
      { content: [{ text: 'Hello.' }] },
      { content: 'go' },
      { content: [{ text: 'Two.' }] },
    ])
  })

  it('says so where there is nothing to ask again', async () => {
    const { agent } = start([says('Hello.')])
    await expect(collect(agent.retry())).rejects.toThrow(RangeError)
    await expect(collect(agent.retry())).rejects.toThrow('no request to retry')
  })

  it('gives the task back to the one who had it', async () => {
    const handing = calling(['hand_off', { to: 'coder', text: 'do it' }])
    const { agent, model } = start([handing, FAILS, says('Here.')], {
      personas: { planner: { instructions: 'plan' }, coder: { instructions: 'code' } },
    })
    await collect(agent.sendMessageStream('go'))
    await collect(agent.retry())
    expect(model.requests.map(({ system }) => system.trim())).toEqual(['plan', 'code', 'plan'])
  })
})

describe('the same message sent again', () => {
  it('stands once in the history after an error, and the work so far stays', async () => {
    const { agent, model } = start([calling(['look']), FAILS, says('Here.')])
    await collect(agent.sendMessageStream('go'))
    const events = await collect(agent.sendMessageStream('go'))
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ])
    expect(events[0]?.type).toBe('prompt')
    expect(agent.history.filter(({ role }) => role === 'user')).toEqual([REQUEST])
  })

  it('brings the same advice once, while it fails', async () => {
    const { agent, model } = start(() => FAILS)
    for (let time = 0; time < 8; time++) await collect(agent.sendMessageStream('go'))
    expect(model.requests.at(-1)?.messages).toEqual([
      REQUEST,
      { role: 'user', content: expect.stringContaining('You keep saying this'), from: 'guard' },
    ])
  })

  it('stands twice if the first was answered', async () => {
    const { agent } = start([says('Here.')])
    await collect(agent.sendMessageStream('go'))
    await collect(agent.sendMessageStream('go'))
    expect(agent.history.filter(({ role }) => role === 'user')).toHaveLength(2)
  })
})

it('no request stands twice in a row, whatever fails and however it is asked again', async () => {
  const steps = fc.array(fc.constantFrom('send', 'retry', 'resume'), { maxLength: 6 })
  const turns = fc.array(fc.constantFrom<Turn>(FAILS, calling(['look']), says('Here.')))
  await fc.assert(
    fc.asyncProperty(steps, turns, async (steps, turns) => {
      const { agent, model } = start((turn) => turns[turn] ?? FAILS, { maxTurns: 2 })
      await collect(agent.sendMessageStream('go'))
      for (const step of steps) {
        await collect(step === 'send' ? agent.sendMessageStream('go') : agent[step]())
      }
      for (const { messages } of model.requests) {
        const said = messages.filter(({ role, content }) => role === 'user' || content.length > 0)
        const isTwice = said.some(
          ({ role, content }, at) =>
            role === 'user' && said[at + 1]?.role === 'user' && said[at + 1]?.content === content,
        )
        expect(isTwice).toBe(false)
      }
    }),
  )
})
