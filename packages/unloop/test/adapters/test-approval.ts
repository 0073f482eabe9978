import { startProvider } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  guardApproval,
  guardMiddleware,
  guardRun,
  isStuck,
} from '../../src/adapters/ai-sdk/index.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import { runOf } from '../../src/host/run.js'
import type { GuardOptions } from '../../src/settings.js'

// biome-ignore lint/suspicious/noExplicitAny: two versions of one SDK
type Any = any

const MODES: GuardOptions[] = [{}, { mode: 'observe' }, { detectors: [] }]

const stopped = () => {
  const guard = createGuard()
  guard.stop()
  return guard
}

const throwing = (): Guard =>
  Object.create(createGuard(), {
    observe: {
      value() {
        throw new Error('broken')
      },
    },
  })

const unguarded = () => {
  const guard = createGuard()
  runOf(guard).giveUp('cannot be watched')
  return guard
}

const GUARDS: Record<string, () => Guard | Guards> = {
  ...Object.fromEntries(
    MODES.flatMap((options) => [
      [`a guard, ${JSON.stringify(options)}`, () => createGuard(options)],
      [`guards, ${JSON.stringify(options)}`, () => createGuards({ guard: options } as Any)],
    ]),
  ),
  'a stopped guard': stopped,
  'a guard that throws': throwing,
  'a guard that gave up': unguarded,
}

/** What the program says itself about another tool: it changes nothing about this one. */
const THEIRS: Record<string, Any> = {
  nothing: undefined,
  'an empty object': {},
  'another tool': { other: 'approved' },
  'a function of another tool': { other: () => 'approved' },
  'nothing about this tool': { write: undefined },
  'a person': { write: 'user-approval' },
  'a function that asks a person': { write: async () => ({ type: 'user-approval' }) },
  'a function for all that asks a person': () => 'user-approval',
}

const chosen = (choose: (guard: Guard) => void) => () => {
  const guard = createGuard({ attended: true })
  choose(guard)
  return guard
}

/** What a person, or the program, may have told the guard before. */
const CHOICES: Record<string, () => Guard | Guards> = {
  'an attended guard': () => createGuard({ attended: true }),
  'attended guards': () => createGuards({ guard: { attended: true } }),
  'tool allowed': chosen((guard) => guard.allow('write')),
  'tool allowed in the options': () => createGuard({ tools: { write: { allow: 'always' } } }),
  'tools that only read': () => createGuard({ tools: { write: { effect: 'reads' } } }),
  'continued once': chosen((guard) => guard.continueOnce()),
  'with a hint': chosen((guard) => guard.hint('Write it.')),
  disabled: chosen((guard) => guard.disable()),
  'out of budget': () => createGuard({ budget: { steps: 1 } }),
  'a guard of another run, at the same time': chosen((guard) =>
    runOf(guard).decide({ type: 'tool-call', name: 'write', args: { path: 'a' } }),
  ),
}

type Settings = { tools: Any; stopWhen: Any }

/** Where the guard may sit. */
const SEAMS: Record<string, (guard: Guard | Guards, sdk: Any, own: Settings, model: Any) => Any> = {
  guardRun: (guard, _, own, model) => ({ model, ...guardRun(guard, own) }),
  'guardRun, twice': (guard, _, own, model) => ({
    model,
    ...guardRun(guard, guardRun(guard, own)),
  }),
  'guardRun, its tools replaced': (guard, _, own, model) => ({
    model,
    ...guardRun(guard, own),
    tools: own.tools,
  }),
  'guardRun without tools': (guard, _, { tools, stopWhen }, model) => ({
    ...{ model, tools, ...guardRun(guard, { stopWhen }) },
  }),
  guardMiddleware: (guard, sdk, own, model) => ({
    ...{ model: sdk.wrapLanguageModel({ model, middleware: guardMiddleware(guard) }), ...own },
  }),
  'guardRun over guardMiddleware': (guard, sdk, own, model) => ({
    model: sdk.wrapLanguageModel({ model, middleware: guardMiddleware(guard) }),
    ...guardRun(guard, own),
  }),
  'two guards': (guard, _, own, model) => ({
    model,
    ...guardRun(createGuard(), guardRun(guard, own)),
  }),
  isStuck: (guard, _, { tools, stopWhen }, model) => {
    const conditions = [stopWhen, ...('observe' in guard ? [isStuck(guard)] : [isStuck()])]
    return { model, tools, stopWhen: conditions }
  },
}

/** A run that called the tool this often, each time with a person's approval. */
const afterCalls = (count: number) => [
  { role: 'user', content: 'go' },
  ...Array.from({ length: count }, (_, at) => {
    const call = { toolCallId: `before ${at}`, toolName: 'write' }
    const output = { type: 'text', value: 'written' }
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: 'a' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ]
  }).flat(),
]

const NEEDS: Record<string, Any> = {
  true: true,
  'a function': () => true,
  'a promise': async () => true,
}

/** A tool with `needsApproval` never runs unasked, whatever the guard is told to do. */
export function testApproval(version: string, sdk: Any): void {
  describe(`ai-sdk ${version}: a tool that needs approval`, () => {
    // version 6 has no toolApproval; it must not mind one either
    const cases = Object.entries(GUARDS).flatMap(([guard, create]) =>
      Object.entries(THEIRS).flatMap(([theirs, toolApproval]) =>
        Object.entries(NEEDS).map(([needs, needsApproval]) => ({
          title: `${guard}; ${theirs}; needsApproval is ${needs}`,
          create,
          toolApproval,
          needsApproval,
        })),
      ),
    )

    it.each([false, true])('never runs unasked, streamed %s', async (isStreamed) => {
      const provider = await startProvider(() => ({
        calls: [{ name: 'write', args: { path: 'a' } }],
      }))
      const model = sdk
        .createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` })
        .chat('gpt-5')
      const unasked: string[] = []
      for (const { title, create, toolApproval, needsApproval } of cases) {
        const guard = create()
        let runs = 0
        const tools = {
          write: sdk.tool({
            inputSchema: z.object({ path: z.string() }),
            needsApproval,
            execute: () => `${runs++}`,
          }),
        }
        for (const approval of [guardApproval(guard, toolApproval), undefined]) {
          const options = {
            model,
            prompt: 'go',
            ...guardRun(guard, { tools, stopWhen: sdk.stepCountIs(2) }),
            ...(approval && { toolApproval: approval }),
          }
          if (isStreamed) await sdk.streamText(options).consumeStream()
          else await sdk.generateText(options)
        }
        if (runs > 0) unasked.push(title)
      }
      await provider.close()
      expect(unasked).toEqual([])
    })

    /** Runs every guard in every place and state of a run; gives those under which the tool ran. */
    async function tryAll(
      isStreamed: boolean,
      needsApproval: boolean,
      toOptions = (_: Any) => ({}),
    ) {
      const provider = await startProvider(() => ({
        // two at once: one may be refused for the sake of the other
        calls: ['a', 'a'].map((path) => ({ name: 'write', args: { path } })),
      }))
      const model = sdk
        .createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` })
        .chat('gpt-5')
      const ran: string[] = []
      let tried = 0
      for (const [state, create] of Object.entries({ ...GUARDS, ...CHOICES }))
        for (const [seam, place] of Object.entries(SEAMS))
          for (const count of [0, 4]) {
            const guard = create()
            let runs = 0
            const execute = () => `written ${runs++ < 0}`
            const inputSchema = z.object({ path: z.string() })
            const tools = { write: sdk.tool({ inputSchema, needsApproval, execute }) }
            const own = { tools, stopWhen: sdk.stepCountIs(2) }
            const options = {
              messages: afterCalls(count),
              ...place(guard, sdk, own, model),
              ...toOptions(guard),
              onError() {},
            }
            if (isStreamed) await sdk.streamText(options).consumeStream()
            else await sdk.generateText(options)
            tried++
            if (runs > 0) ran.push(`${state}; ${seam}; after ${count} calls`)
          }
      await provider.close()
      return { ran, tried }
    }

    it.each([false, true])(
      'never runs unasked, wherever the guard sits, streamed %s',
      async (isStreamed) => {
        expect((await tryAll(isStreamed, true)).ran).toEqual([])
        const withApproval = (guard: Guard | Guards) => ({ toolApproval: guardApproval(guard) })
        expect((await tryAll(isStreamed, true, withApproval)).ran).toEqual([])
      },
    )

    it('runs in most of these cases where it needs no approval', async () => {
      const { ran, tried } = await tryAll(false, false)
      expect(ran.length).toBeGreaterThan(tried / 2)
    })
  })
}
