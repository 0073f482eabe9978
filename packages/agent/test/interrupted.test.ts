import { expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { createSubAgent } from '../src/sub-agent.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

const INTERRUPTED = 'This call was started and interrupted; what it did is not known.'
const NOT_RUN = 'This call was not run.'

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
