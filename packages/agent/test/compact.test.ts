import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, createAgent } from '../src/agent.js'
import { textOf } from '../src/message.js'
import { ModelError } from '../src/model.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel, type Turn } from './scripted-model.js'

const NOTES: Turn = [
  { type: 'usage', inputTokens: 70, outputTokens: 7 },
  ...says('They talked about numbers.'),
]

/** An agent that has answered so many requests, and is then asked for a summary. */
async function talked(requests: number, notes: Turn = NOTES, options?: Partial<AgentOptions>) {
  const model = scriptedModel((turn) => (turn < requests ? says(`answer ${turn}`) : notes))
  const agent = createAgent({ model, retries: 0, ...options })
  for (let at = 0; at < requests; at++) await collect(agent.sendMessageStream(`question ${at}`))
  return { agent, model }
}

describe('compact', () => {
  it('shortens a history that is not full, and keeps the last request', async () => {
    const { agent } = await talked(10)
    const events = await collect(agent.compact())
    expect(events.map(({ type }) => type)).toEqual(['usage', 'compaction'])
    expect(ofType(events, 'usage')[0]).toMatchObject({ purpose: 'summary', inputTokens: 70 })
    const kept = agent.history.length
    expect(events.at(-1)).toEqual({ type: 'compaction', messages: 20, kept })
    expect(kept).toBeLessThan(12)
    expect(agent.history[0]).toMatchObject({ from: 'summary' })
    expect(textOf(agent.history[0] as never)).toContain('They talked about numbers.')
    expect(agent.history.map(textOf)).toEqual(expect.arrayContaining(['question 9', 'answer 9']))
  })

  it.each([0, 1])('says that there is nothing to shorten after %s requests', async (requests) => {
    const { agent, model } = await talked(requests)
    const before = [...agent.history]
    const events = await collect(agent.compact())
    expect(events).toEqual([{ type: 'compaction', messages: before.length, kept: before.length }])
    expect(agent.history).toEqual(before)
    expect(model.requests).toHaveLength(requests)
  })

  it('does not summarize a summary', async () => {
    const { agent, model } = await talked(4)
    for (let at = 0; at < 5; at++) await collect(agent.compact())
    const asked = model.requests.length
    const events = await collect(agent.compact())
    expect(events).toMatchObject([{ type: 'compaction', messages: agent.history.length }])
    expect(model.requests).toHaveLength(asked)
  })

  it('says why there is no summary, and changes nothing', async () => {
    const { agent } = await talked(4, [new ModelError('refused', 'bad key', { advice: 'Check.' })])
    const before = [...agent.history]
    expect(await collect(agent.compact())).toEqual([
      {
        ...{ type: 'error', kind: 'refused', advice: 'Check.' },
        message: 'no summary could be made: bad key',
      },
    ])
    expect(agent.history).toEqual(before)
  })

  it('can be aborted, and changes nothing', async () => {
    const { agent } = await talked(4)
    const before = [...agent.history]
    const events = await collect(agent.compact(AbortSignal.abort()))
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
    expect(agent.history).toEqual(before)
  })

  it('leaves an open question as it is, and the choice still works', async () => {
    const look = defineTool({
      ...{ name: 'look', description: '', parameters: z.object({}), effect: 'reads' },
      execute: () => 'nothing here',
    })
    const model = scriptedModel((turn) => {
      if (turn < 3) return says(`answer ${turn}`)
      const isSummary = model.requests.at(-1)?.tools.length === 0
      return isSummary ? NOTES : calling(['look'])
    })
    const agent = createAgent({ model, tools: [look], guard: { attended: true } })
    for (const at of [0, 1, 2]) await collect(agent.sendMessageStream(`question ${at}`))
    await collect(agent.sendMessageStream('look'))
    const finding = agent.stopped
    const turns = model.requests.length
    expect(finding).toBeDefined()
    await collect(agent.compact())
    expect(agent.stopped).toEqual(finding)
    agent.choose({ type: 'continue-once' })
    for await (const event of agent.resume()) if (event.type === 'tool-call') break
    const roles = model.requests[turns + 1]?.messages.map(({ role }) => role)
    expect(roles?.[0]).toBe('user')
    expect(agent.history[0]).toMatchObject({ from: 'summary' })
    expect(agent.history.map(textOf)).not.toContainEqual(expect.stringContaining('was stopped'))
    expect(agent.history.map(textOf)).toContain('look')
  })

  it('is refused in the middle of a prompt', async () => {
    const { agent } = await talked(1)
    const stream = agent.sendMessageStream('more')
    await stream.next()
    await expect(agent.compact().next()).rejects.toThrow('busy')
    await stream.return(undefined)
  })
})
