import { createOracle } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { textOf } from '../src/message.js'
import { type Model, ModelError, type ModelEvent, type ModelRequest } from '../src/model.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel, type Turn } from './scripted-model.js'

const readTool = defineTool({
  name: 'read',
  description: '',
  parameters: z.object({ path: z.string() }),
  effect: 'reads',
  execute: ({ path }) => `${path}: ${'some words that fill the history. '.repeat(30)}`,
})

/** Reads the same file for ever; when it is asked for notes it writes or fails. */
function forgetful(...notes: Turn[]) {
  const model = scriptedModel(() => calling(['read', { path: 'a' }]), { contextTokens: 1500 })
  const writer = scriptedModel(notes)
  return {
    ...model,
    stream: (request: ModelRequest, signal: AbortSignal) =>
      (request.tools.length > 0 ? model : writer).stream(request, signal),
  }
}

/** Lets the history grow for a while before it warns, refuses and stops. */
const patient = {
  detectors: [createOracle('tool-call', (_, count) => (count > 4 ? 'certain' : undefined))],
}

it('shortens a history that nears the limit of the model, and the loop is still found', async () => {
  const model = forgetful(says('It has read a.'))
  const agent = createAgent({ model, tools: [readTool], guard: patient })
  const events = await collect(agent.sendMessageStream('Read a.'))
  const [first] = ofType(events, 'compaction')
  expect(first?.kept).toBeLessThan(first?.messages ?? 0)
  expect(agent.history[0]).toMatchObject({ from: 'summary' })
  expect(textOf(agent.history[0] as never)).toContain('It has read a.')
  expect(agent.history.map(textOf)).toContain('Read a.')
  expect(events.at(-1)).toMatchObject({
    type: 'loop_detected',
    finding: { detector: 'oracle', count: 7 },
  })
})

describe('a summary that cannot be had', () => {
  const busy = new ModelError('overloaded', 'busy', { retryAfterMs: 1 })

  it('is asked for again like any other answer', async () => {
    const model = forgetful([busy], says('It has read a.'))
    const agent = createAgent({ model, tools: [readTool], guard: patient })
    const events = await collect(agent.sendMessageStream('Read a.'))
    expect(ofType(events, 'compaction').length).toBeGreaterThan(0)
    expect(textOf(agent.history[0] as never)).toContain('It has read a.')
  })

  it.each<[string, Turn]>([
    ['fails', [busy]],
    ['is empty', says(' ')],
    ['breaks off', [{ type: 'text', text: 'The person' }]],
  ])(
    'since it %s leaves the history as it was, and the prompt ends when that is full',
    async (_, notes) => {
      const model = forgetful(notes)
      const agent = createAgent({ model, tools: [readTool], guardMode: 'off', retries: 0 })
      const events = await collect(agent.sendMessageStream('Read a.'))
      expect(ofType(events, 'compaction')).toEqual([])
      expect(agent.history.map(textOf)[0]).toBe('Read a.')
      expect(ofType(events, 'turn-start').length).toBeGreaterThan(2)
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        message: expect.stringMatching(
          /^the conversation is too long for test\/scripted, and .*: /,
        ),
        advice: expect.stringContaining('new chat'),
      })
    },
  )
})

describe('a person who stops while the history is summed up', () => {
  it.each(['quietly', 'with an error', 'never'])(
    'loses nothing if the model ends %s',
    async (how) => {
      const abort = new AbortController()
      const model = forgetful(says('notes'))
      const agent = createAgent({
        model: {
          ...model,
          async *stream(request, signal) {
            if (request.tools.length > 0) return yield* model.stream(request, signal)
            yield { type: 'text', text: 'The person' }
            setImmediate(() => abort.abort())
            if (how === 'never') await new Promise(() => {})
            await new Promise((resolve) => signal.addEventListener('abort', resolve))
            if (how === 'with an error') throw signal.reason
          },
        },
        tools: [readTool],
        guard: patient,
      })
      const events = await collect(agent.sendMessageStream('Read a.', abort.signal))
      expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
      expect(agent.history.map(({ role }) => role)).toEqual([
        'user',
        ...Array(ofType(events, 'tool-result').length).fill(['assistant', 'tool']).flat(),
      ])
    },
  )
})

it('believes the model about the length of the history', async () => {
  const model = scriptedModel(
    [
      [
        ...calling(['read', { path: 'a' }]).slice(0, 1),
        { type: 'usage', inputTokens: 1400 },
        { type: 'finish', reason: 'tool-calls' },
      ],
      says('notes'),
      says('done'),
    ],
    { contextTokens: 1500 },
  )
  const agent = createAgent({ model, tools: [readTool] })
  const events = await collect(agent.sendMessageStream('Read a.'))
  expect(ofType(events, 'compaction')).toHaveLength(1)
  expect(events.at(-1)?.type).toBe('finished')
})

/** A model with so much room that counts and, if it is asked for too much, says so. */
function strict(contextTokens: number, turn: (n: number) => Turn, claimed = contextTokens) {
  const sizes: number[] = []
  const refused: number[] = []
  const model: Model = {
    name: 'test/strict',
    contextTokens: claimed,
    async *stream(request) {
      const inputTokens = Math.ceil(JSON.stringify(request.messages).length / 4)
      if (inputTokens > contextTokens) {
        refused.push(inputTokens)
        throw new ModelError('too-long', 'this is too long')
      }
      sizes.push(inputTokens)
      yield { type: 'usage', inputTokens, outputTokens: 10 }
      yield* (request.tools.length === 0 ? says('notes') : turn(sizes.length)) as ModelEvent[]
    },
  }
  return { model, sizes, refused }
}

const longTool = (characters: number) =>
  defineTool({
    name: 'read',
    description: '',
    parameters: z.object({ path: z.string() }),
    effect: 'reads',
    execute: ({ path }) => `${path} `.repeat(characters / (path.length + 1)),
  })

it('guesses where the model counts its own words only', async () => {
  const model = forgetful(says('notes'))
  const silent: Model = {
    ...model,
    async *stream(request, signal) {
      yield { type: 'usage', outputTokens: 5 }
      yield* model.stream(request, signal)
    },
  }
  const events = await collect(
    createAgent({ model: silent, tools: [readTool], guard: patient }).sendMessageStream('Read a.'),
  )
  expect(ofType(events, 'compaction').length).toBeGreaterThan(0)
})

it.each([4000, 12_000])(
  'counts results of %i characters that came since the model counted, and never asks for too much',
  async (characters) => {
    const five = (n: number) =>
      calling(...Array.from({ length: 5 }, (_, i) => ['read', { path: `${n}-${i}` }] as const))
    const { model, refused } = strict(12_000, (n) => (n < 6 ? five(n) : says('done')))
    const agent = createAgent({ model, tools: [longTool(characters)] })
    const events = await collect(agent.sendMessageStream('Read them.'))
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(ofType(events, 'compaction').length).toBeGreaterThan(1)
    expect(refused).toEqual([])
  },
)

it('keeps the results that the model has not read yet', async () => {
  const { model } = strict(5000, (n) =>
    n < 3 ? calling(['read', { path: `${n}` }]) : says('done'),
  )
  const agent = createAgent({ model, tools: [longTool(9000)] })
  const events = await collect(agent.sendMessageStream('Read them.'))
  expect(ofType(events, 'compaction')).toHaveLength(1)
  expect(agent.history.map(textOf).slice(1)).toEqual([
    'Read them.',
    '',
    ofType(events, 'tool-result').at(-1)?.output,
    'done',
  ])
})

it('does not count what was taken out', async () => {
  const { model } = strict(15_000, () => calling(['read', { path: 'a' }]))
  const agent = createAgent({
    model,
    tools: [longTool(10_000)],
    guard: { ladder: { calls: ['stop'] } },
  })
  const stuck = await collect(agent.sendMessageStream('Read a.'))
  expect(stuck.at(-1)?.type).toBe('loop_detected')
  agent.choose({ type: 'go-back' })
  const events = await collect(agent.resume())
  expect(ofType([...stuck, ...events], 'compaction')).toEqual([])
})

describe('a model that says the conversation is too long', () => {
  it('gets a shorter one, once', async () => {
    const { model, refused } = strict(
      3000,
      (n) => (n < 4 ? calling(['read', { path: `${n}` }]) : says('done')),
      100_000,
    )
    const agent = createAgent({ model, tools: [longTool(5000)] })
    const events = await collect(agent.sendMessageStream('Read them.'))
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(refused.length).toBeGreaterThan(0)
    expect(ofType(events, 'compaction').length).toBeGreaterThan(0)
  })

  it('ends the prompt if that is no help, and says what to do', async () => {
    const tooLong = new ModelError('too-long', 'too long', { advice: 'Start a new chat.' })
    const model = scriptedModel([
      calling(['read', { path: 'a' }]),
      [tooLong],
      says('notes'),
      [tooLong],
    ])
    const agent = createAgent({ model, tools: [readTool] })
    const events = await collect(agent.sendMessageStream('Read a.'))
    expect(ofType(events, 'compaction')).toHaveLength(1)
    expect(events.at(-1)).toEqual({
      type: 'error',
      kind: 'too-long',
      message: 'too long',
      advice: 'Start a new chat.',
    })
    expect(model.requests).toHaveLength(4)
  })
})

it('counts what a summary has cost, and tells it', async () => {
  const model = forgetful([{ type: 'usage', inputTokens: 70, outputTokens: 7 }, ...says('notes')])
  const agent = createAgent({ model, tools: [readTool] })
  const events = await collect(agent.sendMessageStream('Read a.'))
  const count = ofType(events, 'compaction').length
  expect(ofType(events, 'usage')).toEqual(
    Array(count).fill({
      type: 'usage',
      model: 'test/scripted',
      inputTokens: 70,
      outputTokens: 7,
      purpose: 'summary',
    }),
  )
  expect(agent.usage.prompt).toMatchObject({ inputTokens: 70 * count, outputTokens: 7 * count })
})
