import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { readSession, type SavedSession } from '../src/session.js'
import { createSessionLog } from '../src/session-log.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-model-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const look = defineTool({
  ...{ name: 'look', description: '', parameters: z.object({}), effect: 'reads' },
  execute: () => 'nothing here',
})

describe('another model', () => {
  it('answers from the next turn on, and is told of everything before', async () => {
    const first = scriptedModel([says('Hello.')], { name: 'test/first' })
    const second = scriptedModel([says('Bonjour.')], { name: 'test/second' })
    const agent = createAgent({ model: first })
    await collect(agent.sendMessageStream('hi'))
    agent.setModel(second)
    expect(agent.model).toBe(second)
    const events = await collect(agent.sendMessageStream('and now?'))
    expect(ofType(events, 'prompt')[0]?.model).toBe('test/second')
    expect(second.requests[0]?.messages).toHaveLength(3)
    expect(first.requests).toHaveLength(1)
  })

  it('does not get what the one before it wanted back', async () => {
    const first = scriptedModel([
      [
        { type: 'reasoning', text: '', meta: { openai: { itemId: 'rs_1' } } },
        { type: 'text', text: 'Hello.', meta: { openai: { itemId: 'msg_1' } } },
        { type: 'finish', reason: 'stop' },
      ],
    ])
    const second = scriptedModel([says('Bonjour.')])
    const agent = createAgent({ model: first })
    await collect(agent.sendMessageStream('hi'))
    agent.setModel(second)
    await collect(agent.sendMessageStream('and now?'))
    expect(JSON.stringify(second.requests[0]?.messages)).not.toContain('itemId')
    expect(second.requests[0]?.messages[1]?.content).toContainEqual({
      type: 'text',
      text: 'Hello.',
    })
  })

  it('is in the saved conversation', async () => {
    const path = join(folder, 's.jsonl')
    const saved: SavedSession = {
      header: { id: 's', model: 'test/first', folder, createdAt: '2026-11-18T00:00:00Z' },
      entries: [],
      state: undefined,
    }
    const agent = createAgent({
      ...{ model: scriptedModel([says('Hello.')]), saved, log: createSessionLog(path, saved) },
    })
    await collect(agent.sendMessageStream('hi'))
    agent.setModel(scriptedModel([says('Yes.')], { name: 'test/second' }))
    await collect(agent.sendMessageStream('and now?'))
    expect(readSession(path).header).toEqual({ ...saved.header, model: 'test/second' })
    expect(readSession(path).entries).toHaveLength(4)
  })

  it('cannot be set in the middle of a prompt', async () => {
    const agent = createAgent({ model: scriptedModel([says('Hello.')]) })
    for await (const _ of agent.sendMessageStream('hi')) {
      expect(() => agent.setModel(scriptedModel([]))).toThrow('busy')
    }
    expect(() => agent.setModel(scriptedModel([]))).not.toThrow()
  })

  it('does not make the guard forget a loop', async () => {
    const agent = createAgent({ model: scriptedModel(() => calling(['look'])), tools: [look] })
    await collect(agent.sendMessageStream('go'))
    const { findings } = agent.guard
    expect(findings.length).toBeGreaterThan(0)
    agent.setModel(scriptedModel(() => calling(['look'])))
    expect(agent.guard.findings).toEqual(findings)
    const events = await collect(agent.resume())
    expect(events.at(-1)?.type).toBe('loop_detected')
  })
})
