import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, createAgent } from '../src/agent.js'
import type { ClientEvent } from '../src/client-event.js'
import type { CallOutcome } from '../src/message.js'
import { createSubAgent } from '../src/sub-agent.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel, type Turn } from './scripted-model.js'

/** fail before they run */
const UNABLE = ['unknown', 'puzzled', 'scout']
const RAN: readonly CallOutcome[] = ['done', 'failed', 'stopped']

/** Tools of every temper, and the calls that have entered one, as name and arguments. */
function makeTools(end: () => void) {
  const entered: string[] = []
  const make = (
    name: string,
    execute: () => string | Promise<string>,
    confirm?: () => string | undefined,
  ) =>
    defineTool({
      name,
      description: '',
      parameters: z.object({ at: z.number(), number: z.number().optional() }),
      timeoutMs: 3,
      ...(confirm && { confirm }),
      execute: (args) => {
        entered.push(toKey(name, args))
        return execute()
      },
    })
  const tools = [
    make('quick', () => 'same'),
    make('failing', () => Promise.reject(new Error('broken'))),
    make('endless', () => new Promise(() => {})),
    make('ending', () => {
      end()
      return new Promise(() => {})
    }),
    make(
      'asking',
      () => 'same',
      () => 'May I?',
    ),
    make(
      'puzzled',
      () => 'same',
      () => {
        throw new Error('no question')
      },
    ),
  ]
  return { tools, entered }
}

const toKey = (name: string, args: unknown) => `${name} ${JSON.stringify(args)}`

const NAMES = ['quick', 'failing', 'endless', 'ending', 'asking', 'puzzled', 'unknown', 'scout']
const someCalls = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.integer({ min: 0, max: 1 })), {
  minLength: 1,
  maxLength: 4,
})
const someRuns = fc.record({
  turns: fc
    .tuple(fc.array(someCalls, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 6 }))
    .map(([lap, laps]) => Array.from({ length: laps }, () => lap).flat()),
  inner: someCalls,
  ladder: fc.constantFrom(
    ...[['stop'], ['block', 'stop'], ['warn', 'block', 'stop'], ['warn', 'ask']],
    ['warn', 'block', 'block', 'block', 'stop'],
  ),
  answers: fc.array(fc.constantFrom('yes', 'no', 'never', 'throws'), { minLength: 1 }),
  abortAt: fc.option(fc.integer({ min: 0, max: 60 })),
  fails: fc.boolean(),
})

type SomeRun = typeof someRuns extends fc.Arbitrary<infer Run> ? Run : never

const QUIET: SomeRun = {
  ...{ turns: [], inner: [['quick', 0]], ladder: ['block', 'stop'], answers: ['yes'] },
  ...{ abortAt: null, fails: false },
}

/** Chance may leave out an outcome, so each has a run that shows it. */
const EXAMPLES = {
  done: { ...QUIET, turns: [[['quick', 0]]] },
  refused: {
    ...{ ...QUIET, ladder: ['warn', 'block', 'block', 'block', 'stop'] },
    turns: Array.from({ length: 8 }, () => [['quick', 0]]),
  },
  failed: { ...QUIET, turns: [[['failing', 0]]] },
  stopped: { ...QUIET, turns: [[['ending', 0]]] },
  declined: { ...QUIET, turns: [[['asking', 0]]], answers: ['no'] },
  skipped: {
    ...{ ...QUIET, answers: ['never'] },
    turns: [
      [
        ['quick', 0],
        ['asking', 0],
        ['asking', 1],
      ],
    ],
  },
} satisfies Record<string, SomeRun>

describe('every call that was told', () => {
  it('has exactly one result, and its outcome is true', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(someRuns, async ({ turns, inner, ladder, answers, abortAt, fails }) => {
        const abort = new AbortController()
        const { tools, entered } = makeTools(() => abort.abort())
        let number = 0
        const toTurn = (calls: readonly (readonly [string, number])[]): Turn =>
          calling(
            ...calls.map(
              ([name, at]) => [name, name === 'scout' ? { task: `${at}` } : { at }] as const,
            ),
          )
        // a sub-agent may have gone on by the time its caller is stopped, so each of its calls is another one
        const toInnerTurn = () =>
          calling(...inner.map(([name, at]) => [name, { at, number: ++number }] as const))
        let asked = 0
        const approve: AgentOptions['approve'] = async () => {
          const answer = answers[asked++ % answers.length]
          if (answer === 'throws') throw new Error('the terminal is gone')
          if (answer === 'never') {
            abort.abort()
            await new Promise(() => {})
          }
          return answer === 'yes'
        }
        const scout = createSubAgent({
          ...{ name: 'scout', description: '', tools, approve, guardMode: 'off' },
          model: scriptedModel((turn) => (turn === 0 ? toInnerTurn() : says('found'))),
        })
        const last: Turn = fails
          ? [...toTurn([['quick', 0]]).slice(0, 1), new Error('x')]
          : says('')
        const model = scriptedModel((turn) => (turns[turn] ? toTurn(turns[turn]) : last))
        const agent = createAgent({
          ...{ model, tools: [...tools, scout], approve, retries: 0 },
          guard: { ladder: ladder as never },
        })
        const events: ClientEvent[] = []
        for await (const event of agent.sendMessageStream('go', abort.signal)) {
          events.push(event)
          if (abortAt !== null && events.length > abortAt) abort.abort()
        }
        const results = ofType(events, 'tool-result')
        const calls = ofType(events, 'tool-call')
        expect(results).toHaveLength(calls.length)
        const ran: string[] = []
        for (const call of calls) {
          const own = results.filter(({ id, agent }) => id === call.id && agent === call.agent)
          expect(own).toHaveLength(1)
          expect(events.indexOf(own[0] as ClientEvent)).toBeGreaterThan(events.indexOf(call))
          const { outcome, isError, isWithheld } = own[0] as (typeof own)[number]
          seen.add(`${outcome}${isWithheld ? ', withheld' : ''}`)
          expect(isError).toBe(outcome !== 'done' || isWithheld === true)
          if (isWithheld) expect(RAN).toContain(outcome)
          if (isWithheld) expect(['unknown', 'puzzled']).not.toContain(call.name)
          if (RAN.includes(outcome) && !UNABLE.includes(call.name)) {
            ran.push(toKey(call.name, call.args))
          }
        }
        const told = new Set(calls.map(({ name, args }) => toKey(name, args)))
        expect(ran.sort()).toEqual(entered.filter((key) => told.has(key)).sort())
        expect(events.findLastIndex(({ type }) => type === 'tool-result')).toBeLessThan(
          events.length - 1,
        )
      }),
      {
        numRuns: 300,
        examples: Object.values(EXAMPLES).map((run): [SomeRun] => [run]),
      },
    )
    expect([...seen].sort()).toEqual(expect.arrayContaining(Object.keys(EXAMPLES)))
  })

  it('is told as refused, or as run with its answer withheld', async () => {
    const look = defineTool({
      ...{ name: 'look', description: '', parameters: z.object({}) },
      execute: () => 'nothing here',
    })
    const agent = createAgent({ model: scriptedModel(() => calling(['look'])), tools: [look] })
    const results = ofType(await collect(agent.sendMessageStream('go')), 'tool-result')
    expect(results.map(({ outcome }) => outcome)).toContain('refused')
    const failing = defineTool({
      ...{ name: 'try', description: '', parameters: z.object({ n: z.number() }) },
      execute: () => Promise.reject(new Error('no such file')),
    })
    const other = createAgent({
      model: scriptedModel((turn) => calling(['try', { n: turn % 3 }])),
      tools: [failing],
    })
    const told = ofType(await collect(other.sendMessageStream('go')), 'tool-result')
    const withheld = told.filter(({ isWithheld }) => isWithheld)
    expect(withheld.length).toBeGreaterThan(0)
    for (const { outcome, output } of withheld) {
      expect(outcome).toBe('failed')
      expect(output).toMatch(/^This call was run; its answer is left out\./)
    }
    expect(other.history.flatMap(({ role, content }) => (role === 'tool' ? content : []))).toEqual(
      expect.arrayContaining([expect.objectContaining({ isWithheld: true, outcome: 'failed' })]),
    )
  })
})
