import { createGuard, defineDetector } from 'unloop'
import { expect, it } from 'vitest'
import { createAgent } from '../src/agent.js'
import { createSubAgent } from '../src/sub-agent.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

/** A detector that throws this at the first call it sees. */
const throwing = (name: string, error: unknown) =>
  defineDetector({
    name,
    finds: 'nothing: it fails',
    advice: '',
    stage: 'stable',
    plane: 'calls',
    on: ['tool-call'],
    options: {},
    start: () => ({}),
    observe() {
      throw error
    },
    pressure: () => ({ pressure: 0, count: 0, limit: 1 }),
  })()

const toldBy = async (...errors: unknown[]) => {
  const detectors = errors.map((error, index) => throwing(`broken-${index}`, error))
  const model = scriptedModel([calling(['look']), calling(['look'], ['listen']), says('done')])
  return collect(
    createAgent({ model, guard: createGuard({ detectors, onFault: () => {} }) }).sendMessageStream(
      'go',
    ),
  )
}

it('parts of the guard that fail are told once each, before the event they failed at', async () => {
  const events = await toldBy(new Error('it broke'), 'a mere text')
  expect(ofType(events, 'fault')).toEqual([
    { type: 'fault', part: 'broken-0', message: 'it broke' },
    { type: 'fault', part: 'broken-1', message: 'a mere text' },
  ])
  expect(events.map(({ type }) => type).slice(0, 5)).toEqual([
    ...['prompt', 'turn-start', 'fault', 'fault', 'tool-call'],
  ])
  expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
})

it('a fault is told in one short line, whatever was thrown', async () => {
  const events = await toldBy(new Error('x'.repeat(1e6)), { toString: 0 }, undefined)
  const messages = ofType(events, 'fault').map(({ message }) => message)
  expect(messages).toEqual(['x'.repeat(200), 'unknown error', 'undefined'])
})

it('a fault shows no secret', async () => {
  const error = new Error('cannot read sk-proj-0123456789abcdef0123 of user@example.com')
  const [fault] = ofType(await toldBy(error), 'fault')
  expect(fault?.message).toBe('cannot read [key] of [e-mail]')
})

it('a fault is an event, and no line on the console', async () => {
  const { error } = console
  const lines: unknown[] = []
  console.error = (line) => lines.push(line)
  try {
    const detectors = [throwing('broken', new Error('it broke'))]
    const model = scriptedModel([calling(['look']), says('done')])
    const events = await collect(createAgent({ model, guard: { detectors } }).sendMessageStream(''))
    expect(ofType(events, 'fault')).toHaveLength(1)
  } finally {
    console.error = error
  }
  expect(lines).toEqual([])
})

it('a fault in the guard of a sub-agent is told under its name', async () => {
  const helper = createSubAgent({
    name: 'helper',
    description: 'helps',
    model: scriptedModel([calling(['look']), says('done')]),
    guard: { detectors: [throwing('broken', new Error('it broke'))] },
  })
  const model = scriptedModel([calling(['helper', { task: 'help' }]), says('done')])
  const events = await collect(createAgent({ model, tools: [helper] }).sendMessageStream('go'))
  expect(ofType(events, 'fault')).toEqual([
    { type: 'fault', part: 'broken', message: 'it broke', agent: 'helper' },
  ])
})
