import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { ModelError } from '../src/model.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

/** A tool that answers with its argument and counts how often it ran. */
function countingTool(name: string, answer = (text: string) => text) {
  const runs: unknown[] = []
  const tool = defineTool({
    name,
    description: 'a tool of a test',
    parameters: z.object({ path: z.string().default('a') }),
    execute(args) {
      runs.push(args)
      return answer(args.path)
    },
  })
  return { tool, runs }
}

const reading = (path = 'a') => calling(['read', { path }])

describe('a prompt', () => {
  it('yields its events in order and ends with the sum of its tokens', async () => {
    const { tool } = countingTool('read')
    const model = scriptedModel([
      [
        ...reading().slice(0, 1),
        { type: 'usage', inputTokens: 10, outputTokens: 2 },
        { type: 'finish', reason: 'tool-calls' },
      ],
      [
        { type: 'reasoning', text: 'hm' },
        { type: 'usage', inputTokens: 20, outputTokens: 3 },
        ...says('done'),
      ],
    ])
    const agent = createAgent({ model, tools: [tool] })
    const events = await collect(agent.sendMessageStream('go', undefined, 'p1'))
    expect(events.map(({ type }) => type)).toEqual([
      'prompt',
      'turn-start',
      'tool-call',
      'usage',
      'turn-end',
      'tool-result',
      'turn-start',
      'reasoning',
      'usage',
      'text',
      'turn-end',
      'finished',
    ])
    expect(events[0]).toEqual({ type: 'prompt', id: 'p1', text: 'go', model: 'test/scripted' })
    expect(events.at(-1)).toEqual({
      type: 'finished',
      reason: 'done',
      usage: { inputTokens: 30, outputTokens: 5, cachedTokens: 0, judgeTokens: 0 },
    })
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ])
  })

  it('counts tokens per prompt and per session', async () => {
    const turn = [{ type: 'usage' as const, inputTokens: 5 }, ...says('ok')]
    const agent = createAgent({ model: scriptedModel([turn]) })
    await collect(agent.sendMessageStream('one'))
    await collect(agent.sendMessageStream('two'))
    expect(agent.usage.prompt.inputTokens).toBe(5)
    expect(agent.usage.session.inputTokens).toBe(10)
  })

  it('begins anew with a new id, and goes on with the same', async () => {
    const model = scriptedModel([says('one'), says('two'), says('three')])
    const agent = createAgent({ model })
    await collect(agent.sendMessageStream('first', undefined, 'p1'))
    const more = await collect(agent.sendMessageStream('second', undefined, 'p1'))
    expect(more.map(({ type }) => type)).not.toContain('prompt')
    expect(agent.turn).toBe(2)
    const fresh = await collect(agent.sendMessageStream('third', undefined, 'p2'))
    expect(fresh[0]?.type).toBe('prompt')
    expect(agent.turn).toBe(1)
  })

  it('ends with its own event when it takes too many turns, and can go on from there', async () => {
    const { tool, runs } = countingTool('read', () => Math.random().toString(36))
    const model = scriptedModel((turn) => (turn < 4 ? reading(`file-${turn}`) : says('done')))
    const agent = createAgent({ model, tools: [tool], maxTurns: 3 })
    const events = await collect(agent.sendMessageStream('read everything'))
    expect(events.at(-1)).toEqual({ type: 'turn-limit', turns: 3, limit: 3 })
    expect(runs).toHaveLength(3)
    const rest = await collect(agent.resume())
    expect(rest.at(-1)?.type).toBe('finished')
  })

  it('tells after a resume how many turns there were in all, and how many it may take at a time', async () => {
    const { tool } = countingTool('read', () => Math.random().toString(36))
    const model = scriptedModel((turn) => reading(`file-${turn}`))
    const agent = createAgent({ model, tools: [tool], maxTurns: 3 })
    await collect(agent.sendMessageStream('read everything'))
    const rest = await collect(agent.resume())
    expect(rest.at(-1)).toEqual({ type: 'turn-limit', turns: 6, limit: 3 })
  })

  it('is 100 turns long at most', async () => {
    const { tool, runs } = countingTool('step', () => `${Math.random()} ${Math.random()}`)
    const agent = createAgent({
      model: scriptedModel((turn) => calling(['step', { path: `${turn}` }])),
      tools: [tool],
      guardMode: 'off',
    })
    const events = await collect(agent.sendMessageStream('go on'))
    expect(events.at(-1)).toEqual({ type: 'turn-limit', turns: 100, limit: 100 })
    expect(runs).toHaveLength(100)
  })

  it('is refused while another is running', async () => {
    const agent = createAgent({ model: scriptedModel([says('hello')]) })
    const first = agent.sendMessageStream('one')
    await first.next()
    await first.next()
    await expect(collect(agent.sendMessageStream('two'))).rejects.toThrow('busy')
    await collect(first)
  })

  it('is refused from the first event of another on, and that goes on undisturbed', async () => {
    const agent = createAgent({ model: scriptedModel([says('hello')]) })
    const first = agent.sendMessageStream('one')
    expect((await first.next()).value).toMatchObject({ type: 'prompt', text: 'one' })
    await expect(collect(agent.sendMessageStream('two'))).rejects.toThrow('busy')
    await expect(collect(agent.resume())).rejects.toThrow('busy')
    await collect(first)
    expect(agent.history).toHaveLength(2)
  })

  it('lets the next one begin however it ended', async () => {
    const agent = createAgent({ model: scriptedModel([says('hello')]) })
    for await (const event of agent.sendMessageStream('one')) if (event.type === 'prompt') break
    expect((await collect(agent.sendMessageStream('two'))).at(-1)?.type).toBe('finished')
  })
})

describe('a model that fails', () => {
  const broken = new ModelError('overloaded', 'the server is overloaded', { retryAfterMs: 1 })

  it('is asked again, and says so', async () => {
    const model = scriptedModel([[{ type: 'text', text: 'He' }, broken], says('Hello')])
    const events = await collect(createAgent({ model }).sendMessageStream('hi'))
    expect(ofType(events, 'retry')).toEqual([
      { type: 'retry', reason: 'the server is overloaded', afterMs: 1 },
    ])
    expect(events.at(-1)?.type).toBe('finished')
  })

  it('does not make the guard count twice what it says twice', async () => {
    const turn = [...reading().slice(0, 1), broken]
    const { tool } = countingTool('read')
    const agent = createAgent({
      model: scriptedModel([turn, turn, reading(), turn, reading(), says('done')]),
      tools: [tool],
    })
    const events = await collect(agent.sendMessageStream('go'))
    expect(ofType(events, 'loop_warning')).toEqual([])
    expect(events.at(-1)?.type).toBe('finished')
  })

  it('ends the prompt with its words when it goes on failing', async () => {
    const agent = createAgent({ model: scriptedModel([[broken]]), retries: 1 })
    const events = await collect(agent.sendMessageStream('hi'))
    expect(events.map(({ type }) => type)).toEqual(['prompt', 'turn-start', 'retry', 'error'])
    expect(events.at(-1)).toMatchObject({ kind: 'overloaded', message: 'the server is overloaded' })
  })

  it('is not asked again when that cannot help', async () => {
    const refused = new ModelError('refused', 'no such model', { advice: 'Choose another.' })
    const events = await collect(
      createAgent({ model: scriptedModel([[refused]]) }).sendMessageStream('hi'),
    )
    expect(events.at(-1)).toEqual({
      type: 'error',
      kind: 'refused',
      message: 'no such model',
      advice: 'Choose another.',
    })
  })

  it('at once, before it streams anything, fails like any other', async () => {
    const stream = () => {
      throw new ModelError('network', 'no route')
    }
    const agent = createAgent({ model: { ...scriptedModel([]), stream }, retries: 0 })
    const events = await collect(agent.sendMessageStream('hi'))
    expect(events.at(-1)).toMatchObject({ type: 'error', message: 'no route' })
  })

  it('that breaks off without an end is a failure too', async () => {
    const agent = createAgent({
      model: scriptedModel([[{ type: 'text', text: 'He' }]]),
      retries: 0,
    })
    const events = await collect(agent.sendMessageStream('hi'))
    expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'network' })
  })
})

describe('going on', () => {
  const partial = { type: 'text' as const, text: 'Partial answer ' }
  const roles = ({ requests }: ReturnType<typeof scriptedModel>) =>
    requests.at(-1)?.messages.map(({ role }) => role)

  it('after a failure asks for the whole answer again', async () => {
    const model = scriptedModel([[partial, new ModelError('refused', 'no')], says('done')])
    const agent = createAgent({ model })
    await collect(agent.sendMessageStream('hi', undefined, 'p1'))
    expect(agent.history.at(-1)).toMatchObject({ role: 'assistant', interrupted: true })
    const events = await collect(agent.sendMessageStream('hi', undefined, 'p1'))
    expect(roles(model)).toEqual(['user'])
    expect(events.map(({ type }) => type)).toEqual([
      'retry',
      'turn-start',
      'text',
      'turn-end',
      'finished',
    ])
    expect(agent.history).toHaveLength(2)
  })

  it('after an abort asks for the whole answer again', async () => {
    const model = scriptedModel([[partial, ...says('and more')], says('done')])
    const agent = createAgent({ model })
    const abort = new AbortController()
    for await (const event of agent.sendMessageStream('hi', abort.signal)) {
      if (event.type === 'text') abort.abort()
    }
    await collect(agent.resume())
    expect(roles(model)).toEqual(['user'])
  })

  it('with another prompt leaves the part that was said', async () => {
    const model = scriptedModel([[partial, new ModelError('refused', 'no')], says('done')])
    const agent = createAgent({ model })
    await collect(agent.sendMessageStream('hi'))
    await collect(agent.sendMessageStream('go on'))
    expect(roles(model)).toEqual(['user', 'assistant', 'user'])
  })

  it('with a prompt that is done, or with none, asks nobody', async () => {
    const model = scriptedModel([says('done')])
    const agent = createAgent({ model })
    const none = await collect(agent.resume())
    await collect(agent.sendMessageStream('hi', undefined, 'p1'))
    const same = await collect(agent.sendMessageStream('hi', undefined, 'p1'))
    const more = await collect(agent.resume())
    for (const events of [none, same, more]) {
      expect(events).toMatchObject([{ type: 'finished', reason: 'done' }])
    }
    expect(model.requests).toHaveLength(1)
  })
})

describe('the person', () => {
  it('can stop an answer; the history stays fit to be sent', async () => {
    const { tool, runs } = countingTool('read')
    const model = scriptedModel([[{ type: 'text', text: 'I read' }, ...reading()], says('fine')])
    const agent = createAgent({ model, tools: [tool] })
    const abort = new AbortController()
    const events = []
    for await (const event of agent.sendMessageStream('go', abort.signal)) {
      events.push(event)
      if (event.type === 'text') abort.abort()
    }
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
    expect(runs).toEqual([])
    expect(model.aborted).toEqual([0])
    await collect(agent.sendMessageStream('again'))
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
  })

  it('can stop a model that does not listen', async () => {
    const agent = createAgent({
      model: {
        name: 'test/deaf',
        contextTokens: 1000,
        stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
      },
    })
    const abort = new AbortController()
    const events = []
    for await (const event of agent.sendMessageStream('go', abort.signal)) {
      events.push(event)
      if (event.type === 'turn-start') queueMicrotask(() => abort.abort())
    }
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
  })
})

it('refuses options that make no sense', () => {
  expect(() => createAgent({ model: scriptedModel([]), maxTurns: 0 })).toThrow(
    'maxTurns must be a whole number of at least 1, got 0',
  )
  expect(() => createAgent({ model: scriptedModel([]), retries: 1.5 })).toThrow('got 1.5')
})
