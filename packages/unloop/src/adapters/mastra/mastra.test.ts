// What the real package does is in `e2e/node24/mastra.ts`: it wants a newer Node. Here are the hooks and processors alone.
import { createOracle, ORACLE_ADVICE } from '@unloop/testing'
import { expect, it } from 'vitest'
import { SPEAKS_AT } from '../../../test/adapters/test-adapter.js'
import { createGuard, type Guard } from '../../guard.js'
import { createGuards } from '../../host/guards.js'
import { guardRun } from './index.js'

let calls = 0

/** A step as Mastra takes it: what the model was told, and what became of its call. */
async function step(
  options: ReturnType<typeof guardRun>,
  output: unknown,
  context = {},
  input = { path: 'a' },
) {
  const [before] = options.inputProcessors
  const shared = { requestContext: options, abort: end }
  const told = before.processInputStep({ ...shared, systemMessages: ['system'] })
  const event = {
    toolName: 'read',
    input,
    context: { requestContext: options, toolCallId: `call ${++calls}`, ...context },
  }
  const refused = await options.hooks.beforeToolCall(event)
  if (!refused) await options.hooks.afterToolCall({ ...event, output })
  await options.outputProcessors[0].processOutputStream({
    ...shared,
    part: { type: 'step-finish', payload: {} },
  })
  return { told: told?.systemMessages.at(-1).content, refused }
}

function end(reason: string): never {
  throw new Error(reason)
}

const steps = async (guard: Guard, times: number, context = {}) => {
  const options = guardRun(guard)
  const taken = []
  for (let i = 0; i < times; i++) taken.push(await step(options, 'content', context))
  return { options, taken }
}

it('tells, refuses, and ends', async () => {
  const guard = createGuard()
  const { options, taken } = await steps(guard, SPEAKS_AT + 1)
  const [warning, refusal] = guard.findings
  expect(taken.map(({ told }) => told)).toEqual([
    ...Array(SPEAKS_AT).fill(undefined),
    warning?.advice,
  ])
  expect(taken.map(({ refused }) => refused)).toEqual([
    ...Array(SPEAKS_AT).fill(undefined),
    { proceed: false, output: refusal?.advice },
  ])
  expect(await options.onIterationComplete({})).toBeUndefined()
  await expect(step(options, 'content')).rejects.toThrow('Stopped: read was called')
  expect(await options.onIterationComplete({})).toEqual({ continue: false })
  // a run that goes on all the same ends where it would ask the model
  await expect(step(options, 'content')).rejects.toThrow('Stopped: read was called')
  expect(guard.faults).toEqual([])
})

it('tells once of what is only likely, and refuses nothing', async () => {
  const oracle = createOracle('tool-call', (_, count) => (count > 2 ? 'likely' : undefined))
  const guard = createGuard({ detectors: [oracle] })
  const { options, taken } = await steps(guard, 9)
  expect(taken).toEqual(
    taken.map((_, at) => ({ told: at === 3 ? ORACLE_ADVICE : undefined, refused: undefined })),
  )
  expect(await options.onIterationComplete({})).toBeUndefined()
  expect(guard.findings).toMatchObject([{ certainty: 'likely', action: 'warn' }])
  expect(guard.faults).toEqual([])
})

it('counts calls that have no id', async () => {
  const guard = createGuard()
  await steps(guard, SPEAKS_AT + 1, { toolCallId: undefined })
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block'])
})

it('tells the model what to make of an answer that it should not have been given', async () => {
  const guard = createGuard({ ladder: ['block', 'stop'] })
  const options = guardRun(guard)
  const told = []
  for (let i = 0; i < 20 && guard.findings.length === 0; i++) {
    const input = { path: `part-${calls}.ts` }
    told.push((await step(options, { error: true, message: 'connection refused' }, {}, input)).told)
  }
  expect(guard.findings).toHaveLength(1)
  expect(told).toEqual(told.map(() => undefined))
  expect((await step(options, 'content')).told).toBe(guard.findings[0]?.advice)
})

it('is stopped by you as before, and by a chant', async () => {
  const abort = new AbortController()
  const { abortSignal } = guardRun(createGuard(), { abortSignal: abort.signal })
  expect(abortSignal.aborted).toBe(false)
  abort.abort()
  expect(abortSignal.aborted).toBe(true)

  const options = guardRun(createGuard())
  const text = 'I will check the configuration once again. '.repeat(200)
  const part = { type: 'text-delta', payload: { text } }
  const ended = new Promise((resolve) => options.abortSignal.addEventListener('abort', resolve))
  const [output] = options.outputProcessors
  await expect(output.processOutputStream({ part, abort: end })).rejects.toThrow('Stopped: ')
  await ended
})

it.each([createGuard, createGuards])('guards once what is guarded twice: %o', (create) => {
  const guard = create()
  const own = { id: 'own' }
  const options = guardRun(guard, { maxSteps: 20, inputProcessors: [own] })
  expect(guardRun(guard, options)).toBe(options)
  expect(guardRun(createGuard(), options).inputProcessors).toHaveLength(3)
})
