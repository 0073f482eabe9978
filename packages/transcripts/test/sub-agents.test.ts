import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTranscripts } from '../src/index.js'
import { fixture, readAll } from './read.js'
import { nothing, type Tally, tallyOf } from './tally.js'

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

async function find(env: Record<string, string>) {
  const found: string[] = []
  const programs = ['claude-code', 'qwen-code']
  const home = fixture('nowhere')
  for await (const { path } of findTranscripts({ env, platform: 'linux', home, programs }))
    found.push(path)
  return found
}

describe('sub-agents of Claude Code', () => {
  const root = fixture('claude-tree')
  const agents = [
    'projects/-home-ada-shop/agent-a3.jsonl',
    'projects/-home-ada-shop/s-1/subagents/agent-a1.jsonl',
    'projects/-home-ada-shop/s-1/subagents/workflows/wf_1/agent-a2.jsonl',
  ]

  it('are found beside their session, below it and in workflows', async () => {
    const found = (await find({ CLAUDE_CONFIG_DIR: root })).map((path) => relative(root, path))
    expect(found.sort()).toEqual([...agents, 'projects/-home-ada-shop/s-1.jsonl'].sort())
  })

  it.each(agents)('say who they are and who started them: %s', async (path) => {
    const { items, summary } = await readAll(`${root}/${path}`)
    const agent = /agent-(\w+)/.exec(path)?.[1]
    expect(summary).toMatchObject({ format: 'claude-code', bad: 0, runs: 1 })
    expect(items[0]?.run).toMatchObject({ agent, parent: 's-1', project: '/home/ada/shop' })
    expect(new Set(items.map(({ event }) => event.agent))).toEqual(new Set([agent]))
    expect(tallyOf(items)).toEqual(countClaude(`${root}/${path}`))
  })

  it('leave the session what is its own', async () => {
    const path = `${root}/projects/-home-ada-shop/s-1.jsonl`
    const { items } = await readAll(path)
    expect(items[0]?.run).toMatchObject({ session: 's-1', model: 'claude-opus-5-5' })
    expect(items[0]?.run).not.toHaveProperty('agent')
    expect(tallyOf(items)).toEqual(countClaude(path))
  })

  /** The last line of a message counts all of its tokens. */
  function countClaude(path: string): Tally {
    const tally = nothing()
    const messages = new Map<string, Record<string, number>>()
    for (const { message } of linesOf(path)) {
      if (message.id) messages.set(message.id, message.usage)
      if (typeof message.content === 'string') tally.prompts++
      for (const block of typeof message.content === 'string' ? [] : message.content) {
        if (block.type === 'tool_use') tally.calls++
        if (block.type === 'tool_result') tally.results++
        if (block.is_error) tally.errors++
      }
    }
    for (const usage of messages.values()) {
      const { input_tokens: plain = 0, output_tokens = 0 } = usage
      const { cache_read_input_tokens: cached = 0, cache_creation_input_tokens: written = 0 } =
        usage
      tally.turns++
      tally.input += plain + cached + written
      tally.cached += cached
      tally.written += written
      tally.output += output_tokens
    }
    return tally
  }
})

describe('sub-agents of qwen-code', () => {
  const root = fixture('qwen-tree')
  const path = 'projects/-home-ada-shop/subagents/q-1/agent-explore-7.jsonl'

  it('are found', async () => {
    const found = (await find({ QWEN_HOME: root })).map((file) => relative(root, file))
    expect(found.sort()).toEqual(['projects/-home-ada-shop/chats/q-1.jsonl', path])
  })

  it('say who they are, who started them and how they ended', async () => {
    const { items, summary } = await readAll(`${root}/${path}`)
    expect(summary).toMatchObject({ format: 'qwen-code', bad: 0, runs: 1 })
    expect(items[0]?.run).toMatchObject({
      agent: 'explore-7',
      parent: 'q-1',
      outcome: { kind: 'finished', status: 'completed' },
    })
    expect(new Set(items.map(({ event }) => event.agent))).toEqual(new Set(['explore-7']))
  })

  it.each([path, 'projects/-home-ada-shop/chats/q-1.jsonl'])('add up: %s', async (file) => {
    const { items } = await readAll(`${root}/${file}`)
    const expected = nothing()
    let isAnswer = false
    for (const line of linesOf(`${root}/${file}`)) {
      if (line.type === 'user') expected.prompts++
      // every part of an answer of a sub-agent is a line
      if (line.type === 'assistant' && !isAnswer) expected.turns++
      isAnswer = line.type === 'assistant'
      for (const part of line.message.parts) {
        if (part.functionCall) expected.calls++
        if (part.functionResponse) expected.results++
        if (part.functionResponse?.response.error) expected.errors++
      }
      expected.input += line.usageMetadata?.promptTokenCount ?? 0
      expected.cached += line.usageMetadata?.cachedContentTokenCount ?? 0
      expected.output += line.usageMetadata?.candidatesTokenCount ?? 0
    }
    expect(tallyOf(items)).toEqual(expected)
  })
})
