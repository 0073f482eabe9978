import { describe, expect, it } from 'vitest'
import * as aiSdk from '../../src/adapters/ai-sdk/index.js'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as claudeAgent from '../../src/adapters/claude-agent/index.js'
import * as google from '../../src/adapters/google/index.js'
import * as langchain from '../../src/adapters/langchain/index.js'
import * as mastra from '../../src/adapters/mastra/index.js'
import * as mcp from '../../src/adapters/mcp/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import * as openaiAgents from '../../src/adapters/openai-agents/index.js'
import { createGuard } from '../../src/guard.js'

const adapters: Record<string, Record<string, unknown>> = {
  ...{ aiSdk, anthropic, claudeAgent, google, langchain, mastra, mcp, openai, openaiAgents },
}

const functions = Object.entries(adapters).flatMap(([adapter, names]) =>
  Object.entries(names)
    .filter(([name]) => name.startsWith('guard') && name !== 'guardOf')
    .map(
      ([name, value]) => [`${adapter}, ${name}`, value as (...args: unknown[]) => unknown] as const,
    ),
)

const isToolsOnly = (name: string) => name.endsWith('guardTools')

describe('what is no guard', () => {
  const WRONG = [undefined, null, {}, { tools: {} }, 'guard', 7, createGuard, []]

  it.each(functions.filter(([name]) => !isToolsOnly(name)))('is named by %s', (_, call) => {
    const given = Object.assign(() => {}, { callTool() {}, run() {} })
    for (const guard of WRONG) {
      expect(() => call(guard, given)).toThrow(RangeError)
      expect(() => call(guard, given)).toThrow(/takes a guard.*, got /)
    }
  })
})

describe('every adapter', () => {
  it.each(Object.entries(adapters))('%s tells how a run has ended', (_, { outcomeOf }) => {
    const guard = createGuard({ onFault: () => {} })
    const outcome = outcomeOf as typeof openai.outcomeOf
    expect(outcome(guard)).toBe('ok')
    guard.stop()
    expect(outcome(guard)).toBe('stopped')
    guard.disable()
    expect(outcome(guard)).toBe('unguarded')
  })

  it.each(functions.filter(([name]) => /Client|Model|Runner|Server|Query$/.test(name)))(
    '%s never passes silently over what it cannot guard',
    (_, call) => {
      for (const given of [undefined, null, 'client', 7, () => {}, {}, { models: {} }, []]) {
        const told: unknown[] = []
        const guard = createGuard({ onFault: (fault) => told.push(fault) })
        try {
          const made = call(guard, given)
          if (made === given)
            expect([told.length, openai.outcomeOf(guard)]).toEqual([1, 'unguarded'])
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }
    },
  )
})
