import { createOpenAI } from '@ai-sdk/openai'
import { startProvider } from '@unloop/testing'
import * as v6 from 'ai'
import * as v7 from 'ai7'
import { createOpenAI as createOpenAI7 } from 'ai7-openai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guardApproval, guardRun } from '../../src/adapters/ai-sdk/index.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import { testApproval } from './test-approval.js'

for (const [version, sdk] of Object.entries({
  6: { ...v6, createOpenAI },
  7: { ...v7, createOpenAI: createOpenAI7, stepCountIs: v7.isStepCount },
}))
  testApproval(version, sdk)

// biome-ignore lint/suspicious/noExplicitAny: the SDK's types are generic over the tools
type Any = any

describe('guardApproval', () => {
  const inputSchema = z.object({ file: z.string() })
  const contextSchema = z.object({ by: z.string().default('nobody') })

  /** Asks about one call of `remove`; gives what the SDK decides. */
  async function decide(guard: Guard | Guards, toolApproval: Any, tool: Any = {}) {
    const provider = await startProvider([
      { calls: [{ name: 'remove', args: { file: 'a' } }] },
      { text: 'Done.' },
    ])
    const model = createOpenAI7({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat('gpt-5')
    const runs: string[] = []
    const execute = ({ file }: { file: string }) => runs.push(file)
    const tools = { remove: v7.tool({ inputSchema, execute, ...tool }) }
    const options = guardRun(guard, { tools, stopWhen: v7.isStepCount(3) })
    const ask = { model, prompt: 'go', ...options, toolsContext: { remove: {} } } as Any
    const { content } = await v7.generateText({
      ...ask,
      toolApproval: guardApproval(guard, toolApproval),
      runtimeContext: { tenant: 'acme' },
    })
    await provider.close()
    return {
      runs,
      isAsked: content.some(
        (part: Any) => part.type === 'tool-approval-request' && !part.isAutomatic,
      ),
    }
  }

  it.each<[string, Any, Any, boolean, boolean]>([
    ['a status of the tool', { remove: 'user-approval' }, {}, true, false],
    ['a status with a reason', { remove: { type: 'user-approval', reason: 'r' } }, {}, true, false],
    ['an approval that goes before', { remove: 'approved' }, { needsApproval: true }, false, true],
    ['a denial', { remove: 'denied' }, {}, false, false],
    ['no status of this tool', { other: 'approved' }, { needsApproval: true }, true, false],
    [
      'a name that every object has',
      Object.create({ remove: 'approved' }),
      { needsApproval: true },
      true,
      false,
    ],
    [
      'a function for all tools that says nothing',
      () => undefined,
      { needsApproval: true },
      false,
      true,
    ],
    [
      'a function for all tools',
      ({ toolCall }: Any) => (toolCall.toolName === 'remove' ? 'user-approval' : 'approved'),
      {},
      true,
      false,
    ],
    ['null, as without one', null, { needsApproval: true }, true, false],
  ])('goes by %s', async (_, toolApproval, tool, isAsked, isRun) => {
    for (const guard of [createGuard(), createGuards()])
      expect(await decide(guard, toolApproval, tool)).toEqual({ isAsked, runs: isRun ? ['a'] : [] })
  })

  it('hands the functions of the program what the SDK would', async () => {
    const seen: Any[] = []
    const note = (input: unknown, { messages, ...rest }: Any) => {
      seen.push([input, rest, messages.length])
      return undefined
    }
    await decide(createGuard(), { remove: note }, { contextSchema })
    await decide(createGuard(), undefined, { contextSchema, needsApproval: note })
    const toolCallId = expect.any(String)
    expect(seen).toEqual([
      [
        { file: 'a' },
        { toolCallId, toolContext: { by: 'nobody' }, runtimeContext: { tenant: 'acme' } },
        1,
      ],
      [{ file: 'a' }, { toolCallId, context: { by: 'nobody' } }, 1],
    ])
  })

  it('takes an object or a function', () => {
    expect(() => guardApproval(createGuard(), 'approved' as Any)).toThrow(RangeError)
  })
})

for (const [version, sdk] of Object.entries({
  6: { ...v6, createOpenAI },
  7: { ...v7, createOpenAI: createOpenAI7, stepCountIs: v7.isStepCount },
}) as [string, Any][])
  describe(`ai-sdk ${version}, a person who is asked each time`, () => {
    /** Asks until nothing is to be approved any more; gives how often the person was asked in each request. */
    async function play(
      calls: { name: string; args: object }[],
      isApproved: boolean,
      isStreamed: boolean,
      guardOf: () => Guard,
      withApproval = false,
    ) {
      const provider = await startProvider(() => ({ calls }))
      const model = sdk
        .createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` })
        .chat('gpt-5')
      const inputSchema = z.object({ path: z.string() })
      const execute = () => 'content'
      const tools = {
        write: sdk.tool({ inputSchema, needsApproval: true, execute }),
        read: sdk.tool({ inputSchema, execute }),
      }
      const messages: Any[] = [{ role: 'user', content: 'go' }]
      const asks: number[] = []
      let text = ''
      for (let request = 0; request < 20; request++) {
        const guard = guardOf()
        const options = {
          ...{ model, messages, ...guardRun(guard, { tools, stopWhen: sdk.stepCountIs(9) }) },
          ...(withApproval && { toolApproval: guardApproval(guard) }),
        }
        const result = isStreamed ? sdk.streamText(options) : await sdk.generateText(options)
        if (isStreamed) await result.consumeStream()
        text = await result.text
        const content: Any[] = await result.content
        messages.push(...((await result.responseMessages) ?? (await result.response).messages))
        const asked = content.filter(
          (part) => part.type === 'tool-approval-request' && !part.isAutomatic,
        )
        asks.push(asked.length)
        if (asked.length === 0) break
        messages.push({
          role: 'tool',
          content: asked.map(({ approvalId }) => ({
            ...{ type: 'tool-approval-response', approvalId, approved: isApproved },
          })),
        })
      }
      await provider.close()
      return { asks, text }
    }

    const write = { name: 'write', args: { path: 'a' } }
    const read = { name: 'read', args: { path: 'b' } }

    it.each(
      [false, true].flatMap((isStreamed) =>
        [[write], [write, read]].flatMap((calls) =>
          (version === '7' ? [false, true] : [false]).map(
            (withApproval) => [isStreamed, calls, withApproval] as const,
          ),
        ),
      ),
    )(
      'has a loop of approved calls found by a new guard for each request, streamed %s, %j, guardApproval %s',
      async (isStreamed, calls, withApproval) => {
        const { asks, text } = await play([...calls], true, isStreamed, createGuard, withApproval)
        expect(text).toMatch(/^Stopped: /)
        expect(asks.length).toBeLessThanOrEqual(7)
      },
    )

    it.each([true, false])(
      'is not asked about a call that ends the run, approved %s',
      async (isApproved) => {
        const guard = createGuard()
        const calls = [write, write, write]
        const { asks, text } = await play(calls, isApproved, true, () => guard)
        expect(text).toMatch(/^Stopped: /)
        expect(asks.at(-1)).toBe(0)
        expect(asks.slice(0, -1).every((count) => count === 3)).toBe(true)
      },
    )
  })
