import { type Script, startProvider } from '@unloop/testing'
import type { Finding } from 'unloop'
import { createGuards } from 'unloop/host'
import { guardRun } from 'unloop/langchain'
import { describe, expect, it } from 'vitest'
import { findSdk } from './sdks.js'

const sdk = findSdk('deepagents')
const { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } = await sdk.load('deepagents')
const { createMiddleware, tool } = await sdk.load('langchain')
const { ChatOpenAI } = await sdk.load('@langchain/openai')
const { MemorySaver } = await sdk.load('@langchain/langgraph')
const { z } = await sdk.load('zod')

const ERRAND = { description: 'Find the bug.', subagent_type: 'general-purpose' }
const LOOK = { calls: [{ name: 'look', args: { at: 'login' } }] }

/** Whether a sub-agent asks; its prompt is the errand. */
const isInner = ({ messages }: { messages?: { role: string; content: unknown }[] }) =>
  JSON.stringify(messages?.filter(({ role }) => role === 'user')).includes(ERRAND.description)

/** A deep agent with one tool, on this script; gives its last words, and what was asked, run and found. */
async function run(script: Script, areSubagentsGuarded: boolean, isThread = false) {
  const provider = await startProvider(script)
  const found: Finding[] = []
  const guards = createGuards({ guard: { onFinding: (finding) => found.push(finding) } })
  const middleware = [createMiddleware(guardRun(guards))]
  let looks = 0
  const read = ({ at }: { at: string }) => {
    looks++
    return `content of ${at}`
  }
  const look = tool(read, {
    name: 'look',
    description: 'Looks at a part.',
    schema: z.object({ at: z.string() }),
  })
  const agent = createDeepAgent({
    model: new ChatOpenAI({
      model: 'gpt-5',
      apiKey: 'none',
      maxRetries: 0,
      configuration: { baseURL: `${provider.url}/v1` },
    }),
    tools: [look],
    middleware,
    ...(areSubagentsGuarded && { subagents: [{ ...GENERAL_PURPOSE_SUBAGENT, middleware }] }),
    ...(isThread && { checkpointer: new MemorySaver() }),
  })
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: 'Why does the login fail?' }] },
    { recursionLimit: 200, ...(isThread && { configurable: { thread_id: 'one' } }) },
  )
  await provider.close()
  const inner = provider.exchanges.filter(({ body }) => isInner(body)).length
  const outer = provider.exchanges.length - inner
  expect(guards.faults).toEqual([])
  return { text: String(messages.at(-1)?.text), inner, outer, looks, found }
}

describe.each([false, true])('a deep agent, with threads %s', (isThread) => {
  it('ends where it loops itself', async () => {
    const { text, outer, looks } = await run(() => LOOK, false, isThread)
    expect(text).toMatch(/^Stopped: look was called/)
    expect(looks).toBe(3)
    expect(outer).toBe(5)
  })

  it('works with sub-agents as if there were no guard', async () => {
    const script: Script = ({ body }) => {
      const turn = JSON.stringify(body.messages).split('"role":"tool"').length - 1
      if (!isInner(body))
        return turn < 1 ? { calls: [{ name: 'task', args: ERRAND }] } : { text: 'Done.' }
      const at = `part ${turn}`
      return turn < 12 ? { calls: [{ name: 'look', args: { at } }] } : { text: 'It is there.' }
    }
    const { text, inner, outer, looks, found } = await run(script, true, isThread)
    expect({ text, inner, outer, looks }).toEqual({ text: 'Done.', inner: 13, outer: 2, looks: 12 })
    expect(found).toEqual([])
  })

  it.each([false, true])(
    'ends where a sub-agent loops, if that is guarded: %s',
    async (isGuarded) => {
      const script: Script = ({ body }) => {
        if (isInner(body))
          return JSON.stringify(body.messages).split('tool_call_id').length > 30
            ? { text: 'Gave up.' }
            : LOOK
        return JSON.stringify(body.messages).includes('tool_call_id')
          ? { text: 'Done.' }
          : { calls: [{ name: 'task', args: ERRAND }] }
      }
      const { text, inner, looks, found } = await run(script, isGuarded, isThread)
      expect(text).toBe('Done.')
      if (!isGuarded) return expect(inner).toBeGreaterThan(20)
      expect(inner).toBe(5)
      expect(looks).toBe(3)
      expect(found.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
    },
  )
})
