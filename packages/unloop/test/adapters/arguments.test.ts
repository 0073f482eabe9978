import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { ChatOpenAI } from '@langchain/openai'
import { Client } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import { Runner } from '@openai/agents'
import OpenAI, { AzureOpenAI } from 'openai'
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
import { createGuards } from '../../src/host/guards.js'

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

describe('what is none of its clients', () => {
  const apiKey = 'none'
  const azure = { apiKey, endpoint: 'https://azure.test', apiVersion: '1' }
  const info = { name: 'one', version: '1' }
  const clients: Record<string, object> = {
    OpenAI: new OpenAI({ apiKey }),
    AzureOpenAI: new AzureOpenAI(azure),
    Anthropic: new Anthropic({ apiKey }),
    GoogleGenAI: new GoogleGenAI({ apiKey }),
    ChatOpenAI: new ChatOpenAI({ model: 'gpt-5', apiKey }),
    Client: new Client(info),
    McpServer: new McpServer(info),
    Runner: new Runner(),
  }
  type Guarding = (guard: unknown, client?: unknown) => unknown
  /** what each function takes */
  const TAKES: Record<string, [call: unknown, ...takes: string[]]> = {
    'guardClient of unloop/openai': [openai.guardClient, 'OpenAI', 'AzureOpenAI'],
    'guardClient of unloop/anthropic': [anthropic.guardClient, 'Anthropic'],
    'guardClient of unloop/google': [google.guardClient, 'GoogleGenAI'],
    'guardModel of unloop/langchain': [langchain.guardModel, 'ChatOpenAI'],
    'guardClient of unloop/mcp': [mcp.guardClient, 'Client'],
    'guardServer of unloop/mcp': [mcp.guardServer, 'McpServer'],
    'guardRunner of unloop/openai-agents': [openaiAgents.guardRunner, 'Runner'],
  }

  it.each(Object.entries(TAKES))(
    'is refused by %s, which names what it takes',
    (name, [call, ...takes]) => {
      const refused = Object.entries(clients).filter(([own]) => !takes.includes(own))
      const nothing = [undefined, null, 'client', 7, {}, [], () => {}].map((given) => ['', given])
      for (const guard of [createGuard(), createGuards()]) {
        for (const [given, client] of [...refused, ...nothing] as [string, unknown][]) {
          const refuse = () => (call as Guarding)(guard, client)
          expect(refuse, given).toThrow(RangeError)
          expect(refuse).toThrow(new RegExp(`^${name} takes a guard and an? .*, got .*${given}`))
        }
        expect(() => (call as Guarding)(guard)).toThrow(/, got undefined$/)
        for (const own of takes) (call as Guarding)(guard, clients[own])
        expect(guard.faults).toEqual([])
      }
    },
  )

  it.each<[string, unknown, object]>([
    ['openai', openai.guardClient, { chat: {}, responses: {} }],
    ['openai 3', openai.guardClient, { createChatCompletion() {} }],
    ['anthropic', anthropic.guardClient, { messages: {} }],
    ['google', google.guardClient, { models: {}, chats: {} }],
    ['openai-agents', openaiAgents.guardRunner, { run() {}, config: {} }],
  ])('is not what an unknown version of it is: %s', (_, call, client) => {
    const faults: string[] = []
    const guard = createGuard({ onFault: ({ error }) => faults.push(String(error)) })
    const guards = createGuards()
    expect((call as Guarding)(guard, client)).toBe(client)
    expect((call as Guarding)(guards, client)).toBe(client)
    expect(openai.outcomeOf(guard)).toBe('unguarded')
    const unknown = expect.stringContaining('this version of the SDK is unknown')
    expect([...faults, ...guards.faults.map(({ error }) => String(error))]).toEqual([
      unknown,
      unknown,
    ])
  })
})

describe('what is given beside a guard', () => {
  it.each([null, {}, 5, 'x', createGuard()])('%j is no fetch', (given) => {
    expect(() => openai.guardFetch(createGuard(), given as never)).toThrow(RangeError)
  })

  it.each([undefined, null, {}, 'x'])('%j is no list of tools', (given) => {
    for (const { guardTools } of [openai, anthropic])
      expect(() => guardTools(createGuard(), given as never)).toThrow(/a list of tools, got /)
  })
})
