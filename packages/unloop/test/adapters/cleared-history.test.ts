import Anthropic from '@anthropic-ai/sdk'
import { startProvider } from '@unloop/testing'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { describe, expect, it } from 'vitest'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import { createGuard } from '../../src/guard.js'
import { createGuards } from '../../src/host/guards.js'

/** One request with this history of calls, to a guard that knows nothing of it; gives the words of the answer. */
type Ask = (url: string, isShared: boolean, outputs: readonly string[]) => Promise<string>

const guardFor = (isShared: boolean) => (isShared ? createGuards() : createGuard())
const CALL = { name: 'get_logs', args: { service: 'api' } }
const PARAMETERS = { type: 'object' as const, properties: { service: { type: 'string' as const } } }

const ADAPTERS: Record<string, Ask> = {
  async openai(url, isShared, outputs) {
    const client = openai.guardClient(
      guardFor(isShared),
      new OpenAI({ apiKey: 'none', baseURL: `${url}/v1` }),
    )
    const rounds = outputs.flatMap((content, at): ChatCompletionMessageParam[] => {
      const call = { name: CALL.name, arguments: JSON.stringify(CALL.args) }
      const id = `call_${at}`
      return [
        { role: 'assistant', tool_calls: [{ id, type: 'function', function: call }] },
        { role: 'tool', tool_call_id: id, content },
      ]
    })
    const { choices } = await client.chat.completions.create({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Why is it slow?' }, ...rounds],
      tools: [{ type: 'function', function: { name: CALL.name, parameters: PARAMETERS } }],
    })
    return choices[0]?.message.content ?? ''
  },

  async anthropic(url, isShared, outputs) {
    const client = anthropic.guardClient(
      guardFor(isShared),
      new Anthropic({ apiKey: 'none', baseURL: url }),
    )
    const rounds = outputs.flatMap((content, at): Anthropic.MessageParam[] => {
      const id = `toolu_${at}`
      return [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id, name: CALL.name, input: CALL.args }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
      ]
    })
    const { content } = await client.messages.create({
      model: 'claude-opus-4-1',
      max_tokens: 1000,
      messages: [{ role: 'user', content: 'Why is it slow?' }, ...rounds],
      tools: [{ name: CALL.name, input_schema: PARAMETERS }],
    })
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  },
}

const NEWS = ['disk full on web-1', 'queue drained', 'restarted by hand', 'cache cold', 'all well']

describe.each(Object.entries(ADAPTERS))('%s', (_, ask) => {
  const answerTo = async (isShared: boolean, outputs: readonly string[]) => {
    const provider = await startProvider([{ text: 'Done.' }])
    try {
      return await ask(provider.url, isShared, outputs)
    } finally {
      await provider.close()
    }
  }

  it.each([
    [8, 1],
    [9, 2],
    [12, 2],
    [16, 3],
    [25, 5],
  ])('goes on after %i calls of which the last %i answers are left', async (calls, left) => {
    const cleared = Array(calls - left).fill('[Old tool result content cleared]')
    for (const isShared of [true, false])
      expect(await answerTo(isShared, [...cleared, ...NEWS.slice(0, left)])).toBe('Done.')
  })

  it('goes on after a loop that is over', async () => {
    const history = [...Array(8).fill('nothing new'), ...NEWS]
    for (const isShared of [true, false]) expect(await answerTo(isShared, history)).toBe('Done.')
  })

  it('ends a loop that goes on', async () => {
    const history = Array(8).fill('nothing new')
    for (const isShared of [true, false])
      expect(await answerTo(isShared, history)).toMatch(/^Stopped: get_logs was called/)
  })
})
