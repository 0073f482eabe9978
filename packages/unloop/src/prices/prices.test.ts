import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costOf, listPrices, toPriceList } from './index.js'

describe('the price of a model', () => {
  it.each([
    ['claude-opus-4-6', 5],
    ['claude-opus-4-6[1m]', 5],
    ['claude-opus-4-20250514', 15],
    ['claude-opus-4-5-20251101', 5],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3],
    ['claude-3-5-sonnet-v2@20241022', 3],
    ['anthropic/claude-opus-4.1', 15],
    ['anthropic/claude-opus-4.6:thinking', 5],
    ['claude-4.5-opus-high-thinking', 5],
    ['Claude Sonnet 4.5', 3],
    ['copilot/gpt-5.4', 2.5],
    ['gpt-5.1-codex-max-xhigh', 1.25],
    ['gpt-5-2025-08-07', 1.25],
    ['GPT-4o-2024-08-06', 2.5],
    ['openrouter/openai/gpt-5-mini', 0.25],
    ['gemini-2.5-pro-preview-05-06', 1.25],
    ['models/gemini-2.0-flash-001', 0.1],
    ['gemini-3-pro', 2],
    ['moonshotai/kimi-k2.5', 0.6],
  ])('%s is found by any of its names', (model, input) => {
    expect(listPrices.priceOf(model)?.input).toBe(input)
  })

  it.each([
    '',
    'llama-3',
    'my-gpt-5',
    'gpt-9',
    'gpt-4o-realtime-preview',
    'gemini-2.5-flash-image',
    'claude-opus-4-99',
    'constructor',
    '__proto__',
  ])('%j is not guessed', (model) => {
    expect(listPrices.priceOf(model)).toBeUndefined()
  })

  it('is found or not in any text, in time', () => {
    fc.assert(fc.property(fc.string({ maxLength: 5000 }), (name) => void listPrices.priceOf(name)))
  })
})

describe('what an answer costs', () => {
  const opus = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWriteHour: 10 }

  it('counts each kind of token by its own rate', () => {
    const usage = {
      inputTokens: 1_000_000,
      cachedTokens: 500_000,
      cacheWriteTokens: 300_000,
      cacheWriteHourTokens: 100_000,
      outputTokens: 10_000,
    }
    expect(costOf(usage, opus)).toBeCloseTo(1 + 0.25 + 1.25 + 1 + 0.25, 10)
  })

  it('counts what has no rate of its own as other input', () => {
    const usage = { inputTokens: 1000, cachedTokens: 400, cacheWriteTokens: 100 }
    expect(costOf(usage, { input: 2, output: 8 })).toBeCloseTo(0.002, 10)
  })

  it('has the rates of a long context for all of an answer that read more', () => {
    const sonnet = listPrices.priceOf('claude-sonnet-4-5')
    if (!sonnet) throw new Error('no price')
    expect(costOf({ inputTokens: 200_000, outputTokens: 1000 }, sonnet)).toBeCloseTo(0.615, 10)
    expect(costOf({ inputTokens: 200_001, outputTokens: 1000 }, sonnet)).toBeCloseTo(1.222506, 10)
    // the rest of an answer whose beginning was told before
    expect(costOf({ outputTokens: 1000, contextTokens: 300_000 }, sonnet)).toBeCloseTo(0.0225, 10)
    expect(costOf({ inputTokens: 300_000, cachedTokens: 300_000 }, sonnet)).toBeCloseTo(0.18, 10)
  })

  it('is never below zero, and no more than the dearest rate for all', () => {
    const amount = fc.nat(1e7)
    fc.assert(
      fc.property(amount, amount, amount, amount, amount, (input, read, write, hour, output) => {
        const usage = {
          inputTokens: input,
          cachedTokens: read,
          cacheWriteTokens: write,
          cacheWriteHourTokens: hour,
          outputTokens: output,
        }
        const cost = costOf(usage, opus)
        expect(cost).toBeGreaterThanOrEqual(0)
        expect(cost).toBeLessThanOrEqual((input * 10 + output * 25) / 1e6 + 1e-9)
      }),
    )
  })
})

describe('a price list of your own', () => {
  const about = { source: 'prices.json', date: '2026-11-01' }

  it('is read in the shape that LiteLLM publishes', () => {
    const list = toPriceList(
      {
        sample_spec: { litellm_provider: 'one of', max_tokens: 'a number' },
        'azure/my-model': {
          input_cost_per_token: 2e-6,
          output_cost_per_token: 8e-6,
          input_cost_per_token_above_128k_tokens: 4e-6,
          cache_read_input_token_cost: 1e-6,
          litellm_provider: 'azure',
        },
      },
      about,
    )
    const price = list.priceOf('my-model')
    expect(price).toMatchObject({ input: 2, output: 8, cacheRead: 1, long: { above: 128_000 } })
    expect(price?.long).toMatchObject({ input: 4, output: 8, cacheRead: 2 })
    expect(list).toMatchObject(about)
  })

  it.each([
    [[], 'must be an object of models'],
    [{}, 'must have a model with input_cost_per_token'],
    [{ a: { input_cost_per_token: '3' } }, 'input_cost_per_token of a must be a number'],
    [
      { a: { input_cost_per_token: 1, output_cost_per_token: -1 } },
      'output_cost_per_token of a must be a number',
    ],
  ])('%j is refused with the reason', (json, reason) => {
    expect(() => toPriceList(json, about)).toThrow(reason)
  })
})
