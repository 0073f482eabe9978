import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import type { Model, TokenUsage } from '../src/model.js'
import { createSubAgent } from '../src/sub-agent.js'
import { collect } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

const MILLION = 1_000_000

/** A model of this name that uses so many tokens in each answer. */
const using = (name: string, usage: TokenUsage, text = 'ok') =>
  scriptedModel(
    () => [
      { type: 'text', text },
      { type: 'usage', ...usage },
      { type: 'finish', reason: 'stop' },
    ],
    { name },
  )

async function costOf(...models: Model[]) {
  const agent = createAgent({ model: models[0] as Model })
  for (const model of models) {
    agent.setModel(model)
    await collect(agent.sendMessageStream('hi'))
  }
  return agent.usage
}

describe('what a conversation costs', () => {
  it('is the list price of its tokens', async () => {
    const usage = { inputTokens: MILLION, outputTokens: MILLION }
    const { prompt, session } = await costOf(using('openai/gpt-5', usage))
    expect(prompt.dollars).toBeCloseTo(11.25)
    expect(session.dollars).toBeCloseTo(11.25)
  })

  it('counts what came from a cache, and what was written to one, at their own prices', async () => {
    const usage = {
      ...{ inputTokens: MILLION, cachedTokens: MILLION / 2, cacheWriteTokens: MILLION / 4 },
    }
    const { prompt } = await costOf(using('anthropic/claude-opus-4-5', usage))
    expect(prompt.dollars).toBeCloseTo(0.25 * 5 + 0.5 * 0.5 + 0.25 * 6.25)
  })

  it('adds up over prompts and models', async () => {
    const usage = { inputTokens: MILLION }
    const { prompt, session } = await costOf(
      using('openai/gpt-5', usage),
      using('openai/gpt-5-mini', usage),
    )
    expect(prompt.dollars).toBeCloseTo(0.25)
    expect(session.dollars).toBeCloseTo(1.5)
  })

  it.each(['ollama/qwen3', 'lmstudio/gpt-5', 'vllm/claude-opus-4-5', 'embedded/demo'])(
    'is nothing with %s',
    async (name) => {
      const { session } = await costOf(using(name, { inputTokens: MILLION }))
      expect(session.dollars).toBe(0)
    },
  )

  it('is unknown from the first model on whose price is unknown', async () => {
    const usage = { inputTokens: MILLION }
    const { prompt, session } = await costOf(
      using('compatible/of-our-own', usage),
      using('openai/gpt-5', usage),
    )
    expect(prompt.dollars).toBeCloseTo(1.25)
    expect(session.dollars).toBeUndefined()
  })

  it('has the judge, at its own price', async () => {
    const opinion = JSON.stringify({
      unproductive_state_analysis: '',
      unproductive_state_confidence: 0,
    })
    const judge = using('openai/gpt-5-mini', { inputTokens: MILLION }, opinion)
    const agent = createAgent({
      model: scriptedModel((turn) => (turn < 6 ? calling([`step-${turn}`]) : says('ok'))),
      guard: { detectors: [] },
      judge: { model: judge, firstTurn: 5 },
    })
    await collect(agent.sendMessageStream('hi'))
    expect(agent.usage.prompt.dollars).toBeCloseTo(0.25 * judge.requests.length)
    expect(judge.requests.length).toBeGreaterThan(0)
  })

  it('has the sub-agents, at the price of their models', async () => {
    const scout = createSubAgent({
      ...{ name: 'scout', description: '', model: using('openai/gpt-5', { inputTokens: MILLION }) },
    })
    const agent = createAgent({
      model: scriptedModel([
        calling(['scout', { task: 'look' }]),
        [{ type: 'finish', reason: 'stop' }],
      ]),
      tools: [{ ...scout, parameters: z.object({ task: z.string() }) }],
    })
    await collect(agent.sendMessageStream('hi'))
    expect(agent.usage.session.dollars).toBeCloseTo(1.25)
  })
})
