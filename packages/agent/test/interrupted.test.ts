import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import type { ClientEvent } from '../src/client-event.js'
import { ModelError } from '../src/model.js'
import { createSubAgent } from '../src/sub-agent.js'
import { defineTool, type Tool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel, type Turn } from './scripted-model.js'

const INTERRUPTED =
  'This call was stopped while it was running. It may have had effects; what it did is not known.'
const NOT_RUN = 'This call was not run.'
const UNKNOWN_TOOL = /^There is no tool/

const tool = (name: string, execute: (signal: AbortSignal) => string | Promise<string>) =>
  defineTool({
    name,
    description: '',
    parameters: z.object({}),
    execute: (_, { signal }) => execute(signal),
  })
const fast = tool('fast', () => 'ready')
const never = () => new Promise<string>(() => {})

/** What the next request says about the calls of the first turn. */
async function toldAfterwards(
  agent: ReturnType<typeof createAgent>,
  model: ReturnType<typeof scriptedModel>,
) {
  await collect(agent.sendMessageStream('and?'))
  const results = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool')
  return results?.role === 'tool' ? results.content.map(({ output }) => output) : []
}

it('a call that was running when the person stopped is told as interrupted, and one that was done as done', async () => {
  const abort = new AbortController()
  const slow = tool('slow', () => {
    // the other has its result, and nobody has read it yet
    setImmediate(() => abort.abort())
    return never()
  })
  const model = scriptedModel([calling(['fast'], ['slow']), says('fine')])
  const agent = createAgent({ model, tools: [fast, slow] })
  const events = []
  for await (const event of agent.sendMessageStream('go', abort.signal)) {
    events.push(event)
    if (event.type === 'turn-end') await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
  expect(await toldAfterwards(agent, model)).toEqual(['ready', INTERRUPTED])
})

it('a call that waited for consent when the person stopped was not run, and nobody is asked any more', async () => {
  const abort = new AbortController()
  let asked = 0
  const write = { ...fast, name: 'write', confirm: () => 'Write?' }
  const model = scriptedModel([calling(['write'], ['write']), says('fine')])
  const agent = createAgent({
    model,
    tools: [write],
    approve: () => {
      asked++
      setImmediate(() => abort.abort())
      return new Promise(() => {})
    },
  })
  await collect(agent.sendMessageStream('go', abort.signal))
  expect(asked).toBe(1)
  expect(await toldAfterwards(agent, model)).toEqual([NOT_RUN, NOT_RUN])
})

it('who leaves the stream stops the tools, and what came until then stays', async () => {
  let heard = false
  const slow = tool('slow', (signal) => {
    signal.addEventListener('abort', () => {
      heard = true
    })
    return never()
  })
  const model = scriptedModel([calling(['fast'], ['slow']), says('fine')])
  const agent = createAgent({ model, tools: [fast, slow] })
  for await (const event of agent.sendMessageStream('go')) if (event.type === 'tool-result') break
  expect(heard).toBe(true)
  expect(await toldAfterwards(agent, model)).toEqual(['ready', INTERRUPTED])
})

it('a sub-agent whose loop ends the prompt is interrupted, and so are the calls beside it', async () => {
  const scout = createSubAgent({
    name: 'scout',
    description: '',
    model: scriptedModel(() => calling(['fast'])),
    tools: [fast],
    guardMode: 'off',
  })
  const agent = createAgent({
    model: scriptedModel([calling(['scout', { task: 'look' }], ['slow'], ['fast'])]),
    tools: [scout, tool('slow', never), fast],
  })
  const events = await collect(agent.sendMessageStream('go'))
  expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { agent: 'scout' } })
  expect(agent.history.findLast(({ role }) => role === 'tool')?.content).toMatchObject([
    { output: INTERRUPTED },
    { output: INTERRUPTED },
    { output: 'ready' },
  ])
})

it('calls of a turn that was stopped in the middle were not run', async () => {
  const abort = new AbortController()
  const model = scriptedModel([
    [...calling(['fast']).slice(0, 1), { type: 'text', text: 'and' }, ...says('so on')],
    says('fine'),
  ])
  const agent = createAgent({ model, tools: [fast] })
  for await (const event of agent.sendMessageStream('go', abort.signal)) {
    if (event.type === 'text') abort.abort()
  }
  expect(await toldAfterwards(agent, model)).toEqual([NOT_RUN])
})

it('of a call without any trace of a result nobody knows whether it was run', async () => {
  const model = scriptedModel([says('fine')])
  const call = { type: 'tool-call' as const, id: '1', name: 'fast', args: {} }
  const agent = createAgent({
    model,
    tools: [fast],
    saved: {
      header: { id: 's', model: 'm', folder: '/', createdAt: '' },
      entries: [
        { message: { role: 'user', content: 'go' }, first: 0, last: 0 },
        { message: { role: 'assistant', content: [call] }, first: 1, last: 3 },
      ],
      state: undefined,
    },
  })
  expect(await toldAfterwards(agent, model)).toEqual([
    'Whether this call was run is not known: it was interrupted.',
  ])
})

it('two calls with one id have two results', async () => {
  const call = (name: string) => ({ type: 'tool-call' as const, id: 'same', name, args: {} })
  const model = scriptedModel([
    [call('fast'), call('other'), { type: 'finish', reason: 'tool-calls' }],
    says('fine'),
  ])
  const agent = createAgent({ model, tools: [fast, tool('other', () => 'other')] })
  const events = await collect(agent.sendMessageStream('go'))
  expect(new Set(ofType(events, 'tool-result').map(({ id }) => id)).size).toBe(2)
  expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([
    { name: 'fast', output: 'ready' },
    { name: 'other', output: 'other' },
  ])
})

describe('every call that was told', () => {
  /** Tools that are quick, slow, asking or stuck, and the ids of the calls they have started. */
  function makeTools(wait: () => Promise<string> = never) {
    const started = new Set<string>()
    const start = (name: string, execute: () => string | Promise<string>, confirm?: () => string) =>
      defineTool({
        ...{ name, description: '', parameters: z.object({ id: z.string() }) },
        ...(confirm && { confirm }),
        execute: ({ id }) => {
          started.add(id)
          return execute()
        },
      })
    const quick = start('quick', () => 'ready')
    const scout = createSubAgent({
      ...{ name: 'scout', description: '', guardMode: 'off', tools: [quick, start('slow', wait)] },
      model: scriptedModel([
        calling(['quick', { id: 'inner-1' }]),
        calling(['quick', { id: 'inner-2' }], ['slow', { id: 'inner-3' }]),
      ]),
    })
    const tools = [
      quick,
      scout,
      start('slow', wait),
      start(
        'asking',
        () => 'done',
        () => 'May I?',
      ),
    ]
    return { tools, started }
  }

  const turn: Turn = [
    ...['quick', 'slow', 'asking', 'unknown'].map((name) => ({
      ...{ type: 'tool-call' as const, id: name, name, args: { id: name } },
    })),
    { type: 'tool-call', id: 'scout', name: 'scout', args: { task: 'look' } },
    { type: 'text', text: 'So.' },
    { type: 'finish', reason: 'tool-calls' },
  ]

  /** Checks that each call has its one result, and that no result tells a lie. */
  function check(events: readonly ClientEvent[], started: ReadonlySet<string>) {
    const results = ofType(events, 'tool-result')
    for (const { id, agent, args } of ofType(events, 'tool-call')) {
      const own = results.filter((result) => result.id === id && result.agent === agent)
      expect(own).toHaveLength(1)
      const { output, outcome } = own[0] as (typeof own)[number]
      const { id: wanted } = args as { id?: string }
      if (wanted === undefined) continue
      if (started.has(wanted)) {
        expect(output).not.toMatch(/not run\b/i)
        expect(['done', 'failed', 'stopped']).toContain(outcome)
      } else {
        expect(output).not.toMatch(/while it was running|was run;|ready|done/)
        expect(UNKNOWN_TOOL.test(output) ? 'skipped' : outcome).toMatch(/skipped|refused|declined/)
      }
    }
    expect(results).toHaveLength(ofType(events, 'tool-call').length)
  }

  it('has one true result, whenever the person stops', async () => {
    let stops = 0
    for (let isOver = false; !isOver; stops++) {
      const abort = new AbortController()
      let waiting = 0
      // the slow one, that of the sub-agent, and the person: nothing more comes by itself
      const wait = () => {
        if (++waiting === 3) setImmediate(() => abort.abort())
        return new Promise<never>(() => {})
      }
      const { tools, started } = makeTools(wait)
      const agent = createAgent({ model: scriptedModel([turn]), tools, approve: wait })
      const events: ClientEvent[] = []
      for await (const event of agent.sendMessageStream('go', abort.signal)) {
        events.push(event)
        isOver = abort.signal.aborted && waiting === 3
        if (events.length > stops) abort.abort()
      }
      expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
      check(events, started)
    }
    expect(stops).toBeGreaterThan(12)
  })

  it('has one true result where a loop ends the prompt in the middle of an answer', async () => {
    const { tools, started } = makeTools()
    const flood = Array.from({ length: 300 }, (_, n) => ['quick', { id: `${n}` }] as const)
    const agent = createAgent({
      model: scriptedModel([calling(...flood)]),
      tools,
      guard: { ladder: ['stop'] },
    })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)?.type).toBe('loop_detected')
    expect(ofType(events, 'tool-call').length).toBeGreaterThan(10)
    expect(started.size).toBe(0)
    check(events, started)
  })

  it('has one true result where a loop shows in a result', async () => {
    const { tools, started } = makeTools()
    let turns = 0
    const model = scriptedModel(() =>
      calling(
        ['missing', { id: `a${++turns}` }],
        ['slow', { id: `b${turns}` }],
        ['quick', { id: `c${turns}` }],
      ),
    )
    const slow = { ...tools[2], timeoutMs: 5 } as Tool
    const agent = createAgent({
      model,
      tools: [...tools.slice(0, 2), slow],
      guard: { ladder: ['stop'] },
    })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)?.type).toBe('loop_detected')
    check(events, started)
  })

  it('has one true result where a sub-agent gets its caller stopped', async () => {
    const { tools, started } = makeTools()
    const scout = createSubAgent({
      ...{ name: 'scout', description: '', guardMode: 'off', tools },
      model: scriptedModel(() => calling(['quick', { id: 'inner' }])),
    })
    const agent = createAgent({
      model: scriptedModel([calling(['scout', { task: 'look' }], ['slow', { id: 'slow' }])]),
      tools: [scout, tools[2] as Tool],
    })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { agent: 'scout' } })
    check(events, started)
  })

  it('has one true result where the model fails', async () => {
    const { tools, started } = makeTools()
    const failing: Turn = [...turn.slice(0, 3), new ModelError('refused', 'no')]
    const agent = createAgent({ model: scriptedModel([failing]), tools })
    const events = await collect(agent.sendMessageStream('go'))
    expect(events.at(-1)?.type).toBe('error')
    check(events, started)
  })
})
